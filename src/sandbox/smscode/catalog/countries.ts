/** A language that messages.ts has texts in; what people in a country mostly get besides English. */
export type Language =
  | 'en'
  | 'id'
  | 'hi'
  | 'bn'
  | 'ar'
  | 'ru'
  | 'zh'
  | 'es'
  | 'pt'
  | 'vi'
  | 'th'
  | 'fr'
  | 'de'
  | 'tr'
  | 'ja'
  | 'uk'
  | 'fa'
  | 'ur';

export type Country = {
  readonly id: number;
  /** ISO 3166-1 alpha-2, lower case. */
  readonly code: string;
  readonly name: string;
  readonly dialCode: string;
  readonly emoji: string;
  readonly language: Language;
  /** What a number costs there, relative to the cheapest countries. */
  readonly priceLevel: number;
  /** Mobile ranges behind the dial code; `#` is any digit. */
  readonly ranges: readonly string[];
};

/** code|name|dial code|language|price level|mobile ranges. A country's id is its place, from 1: append, never insert. */
const ROWS = `
ru|Russia|7|ru|2|90######## 91######## 92######## 96######## 98########
ua|Ukraine|380|uk|2|50####### 67####### 93####### 97#######
kz|Kazakhstan|7|ru|2|70######## 747####### 777#######
cn|China|86|zh|3|13######### 15######### 18#########
ph|Philippines|63|en|1|905####### 917####### 927####### 998#######
id|Indonesia|62|id|1|811####### 812######## 852######## 878######## 895########
my|Malaysia|60|en|2|12####### 16####### 19#######
ke|Kenya|254|en|1|70####### 71####### 72####### 79#######
tz|Tanzania|255|en|1|65####### 71####### 75#######
vn|Vietnam|84|vi|1|32####### 70####### 86####### 90####### 98#######
kg|Kyrgyzstan|996|ru|2|55####### 70####### 77#######
us|United States|1|en|4|202555#### 213######2 310######7 415######1 646######3 702######9
il|Israel|972|en|3|50####### 52####### 54#######
hk|Hong Kong|852|zh|3|5####### 6####### 9#######
pl|Poland|48|en|3|50####### 60####### 66####### 79#######
gb|United Kingdom|44|en|3|74######## 75######## 77######## 78########
mg|Madagascar|261|fr|1|32####### 33####### 34#######
cd|DR Congo|243|fr|1|81####### 89####### 97#######
ng|Nigeria|234|en|1|803####### 806####### 813####### 903#######
mo|Macao|853|zh|3|62###### 65###### 66######
eg|Egypt|20|ar|1|10######## 11######## 12########
in|India|91|hi|1|70######## 80######## 91######## 98######## 99########
ie|Ireland|353|en|3|83####### 85####### 87#######
kh|Cambodia|855|en|1|10###### 12###### 96#######
la|Laos|856|en|1|205####### 209#######
ht|Haiti|509|fr|1|31###### 36###### 47######
ci|Ivory Coast|225|fr|1|01######## 05######## 07########
gm|Gambia|220|en|1|3###### 7###### 9######
rs|Serbia|381|en|2|60####### 63####### 64#######
ye|Yemen|967|ar|1|70####### 71####### 77#######
za|South Africa|27|en|2|60####### 71####### 82####### 83#######
ro|Romania|40|en|2|72####### 74####### 76#######
co|Colombia|57|es|1|300####### 310####### 320#######
ee|Estonia|372|en|2|5####### 81######
az|Azerbaijan|994|tr|2|50####### 55####### 70#######
ca|Canada|1|en|4|416######2 514######7 604######1 647######3
ma|Morocco|212|ar|1|61####### 66####### 70#######
gh|Ghana|233|en|1|20####### 24####### 54#######
ar|Argentina|54|es|2|911######## 9351####### 9341#######
uz|Uzbekistan|998|ru|2|90####### 93####### 97#######
cm|Cameroon|237|fr|1|65####### 67####### 69#######
td|Chad|235|fr|1|62###### 66###### 99######
de|Germany|49|de|4|151######## 160####### 170####### 176########
lt|Lithuania|370|en|2|60###### 61###### 68######
hr|Croatia|385|en|3|91####### 95####### 98#######
se|Sweden|46|en|3|70####### 72####### 73####### 76#######
iq|Iraq|964|ar|1|750####### 770####### 780#######
nl|Netherlands|31|en|3|61####### 62####### 64#######
lv|Latvia|371|ru|2|20###### 26###### 29######
at|Austria|43|de|4|660####### 664####### 676#######
by|Belarus|375|ru|3|25####### 29####### 33#######
th|Thailand|66|th|2|61####### 81####### 89####### 95#######
sa|Saudi Arabia|966|ar|3|50####### 53####### 55#######
mx|Mexico|52|es|2|55######## 33######## 81########
tw|Taiwan|886|zh|3|91####### 92####### 97#######
es|Spain|34|es|3|61####### 65####### 67#######
ir|Iran|98|fa|2|912####### 919####### 935#######
dz|Algeria|213|ar|1|55####### 66####### 77#######
si|Slovenia|386|en|3|31###### 40###### 41######
bd|Bangladesh|880|bn|1|13######## 15######## 17######## 18######## 19########
sn|Senegal|221|fr|1|70####### 76####### 77#######
tr|Turkey|90|tr|2|530####### 532####### 542####### 555#######
cz|Czechia|420|en|3|60####### 72####### 77#######
lk|Sri Lanka|94|en|1|70####### 71####### 77#######
pe|Peru|51|es|1|91####### 95####### 98#######
pk|Pakistan|92|ur|1|300####### 312####### 321####### 345#######
nz|New Zealand|64|en|3|21####### 22####### 27#######
gn|Guinea|224|fr|1|61####### 62####### 66#######
ml|Mali|223|fr|1|66###### 70###### 76######
ve|Venezuela|58|es|1|412####### 414####### 424#######
et|Ethiopia|251|en|1|91####### 92####### 94#######
mn|Mongolia|976|en|2|80###### 88###### 99######
br|Brazil|55|pt|1|119######## 219######## 319######## 719########
af|Afghanistan|93|fa|1|70####### 77####### 79#######
ug|Uganda|256|en|1|70####### 75####### 77#######
ao|Angola|244|pt|1|91####### 92####### 93#######
cy|Cyprus|357|en|3|95###### 96###### 99######
fr|France|33|fr|4|61####### 62####### 67####### 75#######
pg|Papua New Guinea|675|en|2|70###### 71###### 73######
mz|Mozambique|258|pt|1|82####### 84####### 86#######
np|Nepal|977|en|1|980####### 984####### 986#######
be|Belgium|32|fr|4|47####### 48####### 49#######
bg|Bulgaria|359|en|2|87####### 88####### 89#######
hu|Hungary|36|en|3|20####### 30####### 70#######
md|Moldova|373|ru|2|60###### 69###### 79######
it|Italy|39|en|3|320####### 333####### 347####### 366#######
py|Paraguay|595|es|1|971###### 981###### 991######
hn|Honduras|504|es|1|32###### 88###### 98######
tn|Tunisia|216|ar|1|20###### 50###### 98######
ni|Nicaragua|505|es|1|57###### 84###### 88######
tl|Timor-Leste|670|pt|2|73###### 77###### 78######
bo|Bolivia|591|es|1|60###### 70###### 76######
cr|Costa Rica|506|es|2|60###### 70###### 83######
gt|Guatemala|502|es|1|30###### 40###### 55######
ae|United Arab Emirates|971|ar|4|50####### 52####### 55#######
zw|Zimbabwe|263|en|1|71####### 73####### 77#######
sd|Sudan|249|ar|1|90####### 91####### 99#######
tg|Togo|228|fr|1|90###### 92###### 99######
kw|Kuwait|965|ar|3|50###### 65###### 99######
sv|El Salvador|503|es|1|60###### 70###### 78######
ly|Libya|218|ar|1|91####### 92####### 94#######
jm|Jamaica|1|en|2|876######2 876######5
tt|Trinidad and Tobago|1|en|2|868######2 868######7
ec|Ecuador|593|es|1|96####### 98####### 99#######
sz|Eswatini|268|en|1|76###### 78###### 79######
om|Oman|968|ar|3|71###### 92###### 99######
ba|Bosnia and Herzegovina|387|en|2|61###### 62###### 65######
do|Dominican Republic|1|es|1|809######2 829######5 849######7
sy|Syria|963|ar|2|93####### 94####### 99#######
qa|Qatar|974|ar|3|33###### 55###### 66######
pa|Panama|507|es|2|60###### 66###### 68######
cu|Cuba|53|es|3|51###### 52###### 58######
mr|Mauritania|222|ar|1|22###### 36###### 46######
sl|Sierra Leone|232|en|1|76###### 78###### 88######
jo|Jordan|962|ar|2|77####### 78####### 79#######
pt|Portugal|351|pt|3|91####### 92####### 93####### 96#######
bb|Barbados|1|en|2|246######2
bi|Burundi|257|fr|1|61###### 71###### 79######
bj|Benin|229|fr|1|0161###### 0166###### 0197######
ge|Georgia|995|ru|2|55####### 57####### 59#######
gr|Greece|30|en|3|69######## 697#######
gy|Guyana|592|en|1|60##### 61##### 65#####
is|Iceland|354|en|3|61##### 69##### 77#####
rw|Rwanda|250|en|1|72####### 73####### 78#######
am|Armenia|374|ru|2|77###### 91###### 94######
jp|Japan|81|ja|5|70######## 80######## 90########
kr|South Korea|82|en|5|10########
sg|Singapore|65|en|4|81###### 87###### 91######
au|Australia|61|en|4|40####### 41####### 43#######
ch|Switzerland|41|de|5|76####### 78####### 79#######
fi|Finland|358|en|3|40####### 44####### 50#######
dk|Denmark|45|en|3|20###### 30###### 50######
no|Norway|47|en|4|40###### 45###### 92######
cl|Chile|56|es|2|95####### 96####### 98#######
mm|Myanmar|95|en|1|925####### 942####### 979#######
lb|Lebanon|961|ar|2|3###### 70###### 76######
zm|Zambia|260|en|1|95####### 96####### 97#######
bw|Botswana|267|en|1|71###### 72###### 74######
na|Namibia|264|en|1|81#######
mv|Maldives|960|en|2|77##### 79##### 96#####
al|Albania|355|en|2|67####### 68####### 69#######
mk|North Macedonia|389|en|2|70###### 71###### 75######
sk|Slovakia|421|en|3|90####### 91####### 94#######
uy|Uruguay|598|es|2|91###### 94###### 99######
`;

const FIRST_REGIONAL_INDICATOR = 0x1f1e6;

export function readCountries(): readonly Country[] {
  return ROWS.trim()
    .split('\n')
    .map((row, at) => {
      const [code = '', name = '', dialCode = '', language = '', level = '', ranges = ''] = row.split('|');
      return {
        id: at + 1,
        code,
        name,
        dialCode,
        emoji: flag(code),
        language: asLanguage(language),
        priceLevel: Number(level),
        ranges: ranges.split(' '),
      };
    });
}

function flag(code: string): string {
  return String.fromCodePoint(
    ...[...code].map((letter) => FIRST_REGIONAL_INDICATOR + letter.charCodeAt(0) - 97),
  );
}

const LANGUAGES: readonly Language[] = [
  'en',
  'id',
  'hi',
  'bn',
  'ar',
  'ru',
  'zh',
  'es',
  'pt',
  'vi',
  'th',
  'fr',
  'de',
  'tr',
  'ja',
  'uk',
  'fa',
  'ur',
];

function asLanguage(text: string): Language {
  const language = LANGUAGES.find((known) => known === text);
  if (language === undefined) throw new Error(`no language ${text}`);
  return language;
}
