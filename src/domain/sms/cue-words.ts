/**
 * What a word says about the numbers around it:
 * - `secret`: said of one-time codes alone;
 * - `code`: any code or password;
 * - `purpose`: what one does with a code;
 * - `warning`: what one must not do with it;
 * - `other`: names the number after it as something else;
 * - `offer`: the message sells something, so that a plain "code" in it is a voucher.
 */
export type CueKind = 'secret' | 'code' | 'purpose' | 'warning' | 'other' | 'offer';

/**
 * The words themselves, parted by `|`, a line for a language or family. Letter case, accents and points do not matter
 * (both sides are folded), and a space also stands for a dash. `~` lets more letters stand there. Words of scripts
 * that put no spaces between words are found anywhere.
 */
export const CUE_WORDS: Readonly<Record<CueKind, readonly string[]>> = {
  secret: [
    'otp|totp|2fa|mfa|pin|mtan|tac|passcode|one time|single use|verification|authentication|authorization|authorisation',
    'your tan|ihre tan|security code|access code|confirmation code|activation code|registration code',
    'verifikasi|sekali pakai|kode rahasia|pengesahan|uthibitisho',
    'verificación|de un solo uso|verificação|uso único|vérification',
    'usage unique|authentification|verifica|verificare|unica',
    'bestätigungs~|einmal~|verifizierungs~|verificatie~|eenmalig~',
    'verifierings~|engångs~|engangs~|bekræftelses~|bekreftelses~',
    'vahvistus~|kertakäyt~|weryfikac~|autoryzac~|jednorazow~|ověřovac~|overovac~|jednorázov~|verifikacion~|jednokratn~',
    'ellenőrző|egyszer használatos|megerősítő|doğrulama|tek kullanımlık|təsdiq|tasdiqlash',
    'ma otp|ma xac thuc|ma xac nhan|ma xac minh|ma bao mat|ma kich hoat',
    'одноразов~|однократ~|подтверждени~|проверочн~|підтвердження|потвърждени~|верификацион~|верифікац~|растау|бір реттік',
    'επαληθευσ~|μιας χρησης|ταυτοποιησ~|დადასტურ~|ერთჯერად~|հաստատման|միանգամյա',
    '~تحقق~|لمرة واحدة|~التفعيل|رمز سري|الرقم السري|رقم سري|الرمز السري|كلمة مرور مؤقتة',
    'تایید|تأیید|رمز پویا|یک بار مصرف|یکبار مصرف|تصدیقی|او ٹی پی',
    '~אימות|חד פעמי~|חדפעמי~',
    'ओटीपी|सत्यापन|ওটিপি~|যাচাই~|சரிபார்ப்பு~|ஓடிபி|ఓటీపీ|ಒಟಿಪಿ|ഒടിപി|ઓટીપી|ਓਟੀਪੀ',
    'รหัสยืนยัน|รหัสผ่านครั้งเดียว|ยืนยันตัวตน',
    '验证码|驗證碼|校验码|校驗碼|动态码|动态密码|動態密碼|确认码|確認碼|安全码|安全碼|认证码|認證碼|短信口令',
    '認証コード|認証番号|確認コード|確認番号|暗証番号|ワンタイム|セキュリティコード',
    '인증번호|인증코드|인증 번호|인증 코드|확인코드|일회용|본인확인',
  ],
  code: [
    '~code~|password|passkey|token|~kode~|kata sandi|~kod~|msimbo|nambari yako|nambari ya siri',
    'código|códigos|clave|contraseña|senha|chave|codice|mot de passe|cod|codul|parola|codi',
    '~passwort|~kennwort|~wachtwoord|lösenord|adgangskode|salasana~|~koodi~|passord',
    'hasło|hasła|heslo|klíč|lozinka|geslo|jelszó|jelszava|şifre~|parol|kodas|kods',
    'ma nay|ma dang nhap|nhap ma|ma so|mat khau',
    'код|коды|кода|коду|кодом|коді|пароль|пароля|паролем|парола|лозинка|құпиясөз|нууц',
    'κωδικ~|კოდ~|kodi|կոդ~',
    '~رمز~|~كود~|كلمة المرور|كلمة السر|کد|کدتان|کوڈ|پاس ورڈ',
    'קוד|הקוד|בקוד|לקוד|קודך|~סיסמ~',
    'कोड~|पासवर्ड|কোড~|পাসওয়ার্ড|குறியீ~|கடவுச்சொல்|కోడ్~|ಕೋಡ್~|കോഡ്~|કોડ~|ਕੋਡ~|කේත~|ကုဒ်|កូដ|ລະຫັດ|ኮድ',
    'รหัส|โค้ด|密码|密碼|代码|代碼|口令|コード|パスワード|코드|비밀번호',
  ],
  purpose: [
    'log in|login|logging in|log into|sign in|signing in|sign up|signing up|verify',
    'confirm~|activate|authorize|authorise|approve|enter|type|reply with',
    'masuk|masukkan|ketik|aktivasi|mengaktifkan|makapag login|ilagay|kuingia',
    'iniciar sesión|entrar|acceder|ingresar|confirmar|confirme|introduce',
    'introduzca|ingresa|ingrese|escribe|escriba|teclea|digite|informe',
    'connecter|connexion|valider|saisissez|entrez|tapez|accedere|confermare|inserisci|autentificare|introdu|introduceți',
    'anmelden|anmelde~|eintippen|gib|geben sie|bestätigen|einloggen|eingeben',
    'inloggen|voer|vul|bevestig~|logga in|logge ind|logg inn|ange|kirjaudu~',
    'zaloguj|logowani~|potwierdz~|wpisz|přihlášení|potvrd~|prijav~|zadejte|belépés~|giriş|girin~|yazın~|onay~',
    'dang nhap|nhap|вход|входа|войти|введите|подтверд~|вхід|входу|введіть|увійти|въведете|влезете|пријав~|унесите|кіру',
    'συνδε~|συνδεσ~|πληκτρολογ~|εισαγ~|შესვლ~',
    '~دخول|~تأكيد|أدخل|ادخل|وارد کنید|درج کریں|ورود|لاگ ان|כניסה|הכניסה|להתחבר|להזין|להזדהות|הזן|הזינו',
    'लॉगिन|दर्ज|লগইন|உள்நுழைய|เข้าสู่ระบบ|ใส่|กรอก|输入|輸入|登录|登錄|登入|注册|註冊|入力|ログイン|입력|로그인',
  ],
  warning: [
    'share|do not disclose|never tell|do not forward|bagikan|berikan|kongsi|ibahagi|ibigay|usimpe',
    'compart~|partage~|condivid~|communiquez|weitergeben|teile~|deel|dela',
    'del den|del ikke|älä jaa|podawaj|nesděl~|megosztani',
    'ne add meg|paylaş~|cung cap|cho ai|сообща~|говорите|повідомл~|споделяйте|айтпаңыз|κοινοποι~|გაუზიარ~',
    'تشارك~|تطلع|ندهید|بتائیں|תשתף|למסור|תמסור|साझा|শেয়ার|பகிர|ห้ามบอก|ห้ามเปิดเผย',
    '勿泄露|勿告知|勿转发|勿轉發|勿洩漏|教えない|알려주지',
  ],
  other: [
    'order~|order no|order number|order code|tracking~|tracking code|tracking number|parcel|package|shipment|invoice|bill',
    'ending|ending in|ending with|card|account|acct|a/c|ref|ref no|reference|reference code|txn|transaction',
    'call|call us on|phone|tel|text|dial|hotline|balance|points|flight|room|building|gate|bus|appointment|booking~',
    'ticket|customer number|customer id|user id|policy|branch|zip code|zipcode|postcode|postal code|area code|country code',
    'error code|barcode|qr code|transaction code|reservation|reservation code|dress code|code review|version',
    'street|extension|case|received|pnr|train|seat|counter|session|amount|total|stop to|block to',
    'jumlah|nominal|pesanan|resi|tagihan|saldo|kartu|rekening|hubungi',
    'kode transaksi|kode pos|kode unik|nomor|sisa|kode booking',
    'bungkusan|akaun|bil|baki|oda|salio|kutoka kwa|tawagan',
    'importe|monto|pedido|tarjeta|terminada en|cuenta|factura|llame|llámenos al',
    'llámanos al|referencia|código postal|código de reserva|seguimiento',
    'senha de atendimento|valor|cartão|cartão final|final|conta|fatura',
    'código de barras|ligue|boleto|protocolo|rastreio|código de rastreio',
    'montant|commande|colis|carte|finissant par|facture|compte|appelez',
    'code postal|code de réservation|référence|solde|dossier|suivi',
    'betrag|bestellung|sendung~|karte|konto|rechnung~|rufen sie uns an',
    'kundennummer|vorgang~|postleitzahl|buchungscode|endziffer~|strichcode',
    'importo|ordine|codice prenotazione|codice fiscale|spedizione|carta|che termina con|conto|fattura|chiami|credito',
    'bedrag|belopp|beløb|bestelling|pakket|factuur|rekening~|klantnummer',
    'postcode|paket~|faktura~|ocr|ordre~|pakke~|konto~|kort|kortet|saldo',
    'summa|laskusi|lasku|tilaus~|viite~|kwota|zamówieni~|paczk~|paczc~|rachun~|rach',
    'kart~|kończąc~|objednáv~|zásil~|účet|účt~|faktur~|zůstatek',
    'suma|összeg|comanda|terminat in|colet~|contul|soldul|csomag~|egyenleg~|kártya|rendelés~|számla~',
    'tutarı~|tutar|sipariş~|kargo~|fatura~|kartınız~|hesab~|müşteri no|porudžbin~|račun~',
    'so tien|ma gd|ma giao dich|ma don|don hang|tk|so the|so du|goi|lien he|lh|tai khoan|ma van don|so dien thoai',
    'сумма|сумму|суммы|заказ~|карт~|счет~|трек|трек номер|номер телефона',
    'с номера|звоните|договор~|баланс|посылк~|рейс|лицев~|штрихкод',
    'сума|суму|замовлення|відділення|рахун~|поръчка~|сметка~|поруџбин~|тапсырыс~|шот~|накладн~',
    'ποσο|παραγγελι~|καρτα~|λογαριασμ~|υπολοιπο|τηλ|ბალანს~|შეკვეთ~',
    'مبلغ|بمبلغ|طلبك رقم|رقم الطلب|تنتهي ب|~بطاقة~|اتصل|اتصل على|الرصيد|~حساب~|رقم المرجع|هاتف|رقم العملية|باركود',
    'کارت|سفارش|شماره|مانده|آرڈر|نمبر|بیلنس|ٹرانزیکشن',
    'הזמנה|המסתיים ב|המסתיימת ב|~כרטיס~|~חשבון~|מספר|טלפון|יתרה',
    'राशि|ऑर्डर|खाते|कार्ड नंबर|नंबर|অর্ডার|অ্যাকাউন্ট|ব্যালেন্স|ডায়াল|ஆர்டர்|கணக்கு',
    'จำนวน|พัสดุ|หมายเลข|โทร|ยอดเงิน|บัญชี|คำสั่งซื้อ|อ้างอิง',
    '金额|金額|尾号|尾號|尾数|订单|訂單|订单号|运单号|運單號|单号|余额|餘額|账户|帳戶|帳號|客服|电话|電話|航班|流量|序号|后四码|後四碼',
    '注文番号|注文|伝票番号|お問い合わせ番号|末尾|予約番号|電話|変更は|残高|会員番号|口座',
    '금액|주문번호|운송장|송장번호|문의|잔액|카드|계좌|무료거부|전화|고객센터',
  ],
  offer: [
    '% off|%off|discount~|sale|promo~|coupon~|voucher~|deal|offer|referral|gift card',
    'diskon|gratis|hemat|tawaran|jimat|kupon~|cupón|cupom|descuento|oferta|desconto|réduction|soldes|sur tout le site',
    'rabatt~|rabat~|gutschein~|sconto|offerta|korting~|slev~|reducere|kedvezmény~|indirim~|kampanya',
    'giam|uu dai|khuyen mai|скидк~|акци~|промокод~|знижк~|отстъпк~|попуст~|έκπτωσ~|προσφορ~',
    'خصم|تخفیف|عرض خاص|رعایت|ڈسکاؤنٹ|הנחה|מבצע|קופון|छूट|ऑफर|ছাড়|தள்ளுபடி',
    'ลด|โปรโมชั่น|优惠|優惠|促销|大促|クーポン|割引|セール|할인|쿠폰|광고',
  ],
};

/** Written before an amount. */
export const CURRENCIES_BEFORE: readonly string[] = [
  '$|€|£|¥|₹|₩|₽|₺|₴|₸|₫|₱|฿|৳|₪|₦|₾',
  'rp|rs|rm|tl|idr|inr|usd|eur|gbp|sgd|myr|php|thb|vnd|cny|rmb|jpy|krw|twd|hkd|aed|sar|egp|rub|uah|kzt|bdt|pkr|tsh|kes|ksh',
  'ngn|brl|mxn|cop|ars|clp|chf|pln|czk|huf|ron|rsd|bgn|sek|nok|dkk|cad|aud|ரூ|रु|টাকা',
];

/** Written after an amount, a quantity, or the end of a longer number. Only those that follow three digits and more. */
export const UNITS_AFTER: readonly string[] = [
  '%|$|€|£|¥|₹|₩|₽|₺|₴|₸|₫|₱|฿|৳|₪|₦|₾',
  'idr|inr|usd|eur|gbp|sgd|myr|php|thb|vnd|vnđ|cny|rmb|jpy|krw|twd|hkd',
  'aed|sar|egp|tl|rub|uah|kzt|bdt|pkr|tsh|kes|ngn|irr|irt',
  'brl|mxn|cop|ars|clp|chf|pln|czk|huf|ron|rsd|bgn|sek|nok|dkk|zł|kč|ft|lei|kr|rupiah|euro|euros|dollar~|dong|taka|baht',
  'руб~|р|грн|лв|теңге|тенге|ლარ~|ريال|ر.س|درهم|جنيه|تومان|روپے|ש"ח|रुपये|টাকা|บาท|元|円|원',
  'min|mins|minut~|menit|sec|seconds|detik|hours|hrs|jam|stunden|uur|h',
  'uhr|days|hari|días|dias|jours|tage|dagen|dni|dakika|phut',
  'мин~|хв~|сек~|час~|дней|წუთ~|دقائق|دقيقة|دقیقه|منٹ|דקות|मिनट|दिन|মিনিট|நிமிட~|นาที|分钟|分鐘|分間|秒|小时|小時|年|년',
  'kb|mb|gb|tb|mo|km|kg|points|poin|puntos|pontos|балл~|sms|积分|積分|ポイント|포인트',
  'ile biten|numaralı|nolu|no lu|sayılı|पर समाप्त|号楼|rue|street',
];

/** Lead to a number without naming it. */
export const LINKING_WORDS: readonly string[] = [
  'is|are|as|use|using|with|adalah|ialah|itu|gunakan|pakai|guna|ay|gamitin ang|ni|tumia',
  'es|son|usa|use|utilice|con|é|com|est|utilisez|avec|è|usa|con|este',
  'folosiți|ist|lautet|mit|benutze|verwenden sie|gebruik|met',
  'är|använd|er|brug|bruk|med|on|käytä|jest|użyj|je|použijte|van|használja|kullanın|la|dung',
  'это|используйте|є|используй|використайте|е|је|користите|είναι|χρησιμοποιήστε',
  'هو|هي|استخدم|است|استعمال کریں|הוא|היא|השתמש ב',
  '是|为|為|は|は、|คือ|ใช้|는|은',
];
