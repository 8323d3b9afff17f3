export type Operator = {
  readonly id: number;
  readonly countryCode: string;
  /** A slug. */
  readonly code: string;
  readonly name: string;
  /** The name in the country's own script, where it is another. */
  readonly localName: string | null;
};

/** Country code|name, or name=local name. An operator's id is its place: append, never insert. */
const ROWS = `
id|Telkomsel|Indosat Ooredoo|XL Axiata|Tri|Smartfren|Axis
vn|Viettel|MobiFone|Vinaphone|Vietnamobile
in|Jio=जियो|Airtel=एयरटेल|Vi|BSNL=बीएसएनएल
bd|Grameenphone=গ্রামীণফোন|Robi=রবি|Banglalink=বাংলালিংক|Teletalk=টেলিটক
ru|MTS=МТС|MegaFon=МегаФон|Beeline=Билайн|Tele2=Теле2|Yota
ua|Kyivstar=Київстар|Vodafone UA|lifecell
kz|Beeline KZ|Kcell|Tele2 KZ|Altel
cn|China Mobile=中国移动|China Unicom=中国联通|China Telecom=中国电信
ph|Globe|Smart|DITO|TNT
my|Maxis|CelcomDigi|U Mobile|Unifi Mobile
th|AIS|TrueMove H=ทรูมูฟ เอช|dtac=ดีแทค
us|AT&T|T-Mobile|Verizon|Lycamobile
gb|EE|O2|Vodafone UK|Three|giffgaff|Lebara
de|Telekom|Vodafone DE|O2 DE|Lycamobile DE
fr|Orange|SFR|Bouygues Telecom|Free Mobile
es|Movistar|Orange ES|Vodafone ES|Yoigo
pl|Play|Orange PL|Plus|T-Mobile PL
nl|KPN|Odido|Vodafone NL|Lebara NL
br|Vivo|Claro|TIM|Oi
mx|Telcel|AT&T MX|Movistar MX
co|Claro CO|Movistar CO|Tigo|WOM
ar|Claro AR|Movistar AR|Personal
tr|Turkcell|Vodafone TR|Turk Telekom=Türk Telekom
eg|Vodafone EG=فودافون|Orange EG=أورنج|Etisalat EG=اتصالات|WE
sa|stc|Mobily=موبايلي|Zain SA=زين
ng|MTN NG|Airtel NG|Glo|9mobile
ke|Safaricom|Airtel KE|Telkom KE
za|Vodacom|MTN ZA|Cell C|Telkom ZA
pk|Jazz=جاز|Zong|Telenor PK|Ufone
uz|Ucell|Beeline UZ|Mobiuz|Uzmobile
ca|Rogers|Bell|Telus
se|Telia|Tele2 SE|Telenor SE|Tre
ro|Orange RO|Vodafone RO|Digi
it|TIM IT|Vodafone IT|WindTre|Iliad
`;

const FIRST_ID = 301;

export function readOperators(): readonly Operator[] {
  const operators: Operator[] = [];
  for (const row of ROWS.trim().split('\n')) {
    const [countryCode = '', ...names] = row.split('|');
    for (const both of names) {
      const [name = '', localName = null] = both.split('=');
      operators.push({ id: FIRST_ID + operators.length, countryCode, code: slug(name), name, localName });
    }
  }
  return operators;
}

export function slug(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('&', '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
