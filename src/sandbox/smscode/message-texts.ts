import type { Language } from './catalog/countries.ts';

/** `{s}` is the platform's name, `{c}` the code, `{u}` a link. */
export type Texts = {
  readonly code: readonly string[];
  readonly link: readonly string[];
  /** Follows a code in quick succession; has none of its own. */
  readonly notice: readonly string[];
};

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    code: [
      '{c} is your {s} verification code.',
      'Your {s} code is {c}. Do not share it with anyone.',
      '[{s}] Your security code is: {c}. It expires in 10 minutes.',
      '{s} code: {c}\n\nDo not give this code to anyone, even if they say they are from {s}.',
      'Use {c} to sign in to {s}. We will never ask you for this code.',
      '<#> {s}: {c} is your login code\nlaJ+1p5gKqX',
    ],
    link: ['{s}: tap to sign in {u}', 'Confirm your number for {s}: {u} (valid for 15 minutes)'],
    notice: [
      '{s}: your account was signed in from a new device.',
      'Welcome to {s}! Your number is now confirmed.',
    ],
  },
  id: {
    code: [
      'Kode verifikasi {s} Anda adalah {c}. Jangan berikan kepada siapa pun.',
      '{c} adalah kode OTP {s} kamu. RAHASIA! Berlaku 5 menit.',
      '[{s}] Masukkan kode {c} untuk masuk. Jangan bagikan kode ini.',
    ],
    link: ['{s}: ketuk tautan ini untuk masuk {u}'],
    notice: ['{s}: akun Anda baru saja masuk dari perangkat baru.'],
  },
  hi: {
    code: [
      'आपका {s} सत्यापन कोड {c} है। इसे किसी के साथ साझा न करें।',
      '{s}: {c} आपका OTP है। यह 10 मिनट तक मान्य है।',
      '{c} आपके {s} लॉगिन का कोड है।',
    ],
    link: ['{s} में लॉग इन करने के लिए टैप करें: {u}'],
    notice: ['{s}: आपके खाते में एक नए डिवाइस से लॉगिन हुआ है।'],
  },
  bn: {
    code: [
      'আপনার {s} যাচাইকরণ কোড {c}। কাউকে জানাবেন না।',
      '{s}: আপনার OTP {c}, মেয়াদ ৫ মিনিট।',
      '{c} হলো আপনার {s} লগইন কোড।',
    ],
    link: ['{s}-এ প্রবেশ করতে চাপুন: {u}'],
    notice: ['{s}: নতুন একটি ডিভাইস থেকে আপনার অ্যাকাউন্টে প্রবেশ করা হয়েছে।'],
  },
  ar: {
    code: [
      'رمز التحقق الخاص بك في {s} هو {c}. لا تشاركه مع أحد.',
      '{s}: رمز الدخول {c} صالح لمدة 10 دقائق',
      '{c} هو رمز تأكيد حسابك على {s}',
    ],
    link: ['اضغط لتسجيل الدخول إلى {s}: {u}'],
    notice: ['{s}: تم تسجيل الدخول إلى حسابك من جهاز جديد.'],
  },
  ru: {
    code: [
      'Ваш код для входа в {s}: {c}. Никому его не сообщайте.',
      '{s}: {c} — код подтверждения',
      'Код {s}: {c}. Действует 5 минут.',
    ],
    link: ['{s}: для входа перейдите по ссылке {u}'],
    notice: ['{s}: в ваш аккаунт вошли с нового устройства.'],
  },
  uk: {
    code: ['Ваш код {s}: {c}. Нікому його не повідомляйте.', '{c} — код підтвердження {s}'],
    link: ['{s}: щоб увійти, відкрийте {u}'],
    notice: ['{s}: у ваш обліковий запис увійшли з нового пристрою.'],
  },
  zh: {
    code: [
      '【{s}】您的验证码是{c},5分钟内有效，请勿泄露给他人。',
      '【{s}】{c}（登录验证码），如非本人操作请忽略。',
      '{s} 驗證碼：{c}，請勿告知他人。',
    ],
    link: ['【{s}】点击链接完成登录：{u}'],
    notice: ['【{s}】您的帐号刚刚在新设备上登录。'],
  },
  es: {
    code: [
      'Tu código de {s} es {c}. No lo compartas con nadie.',
      '{c} es tu código de verificación de {s}',
      '[{s}] Código de seguridad: {c}. Caduca en 10 minutos.',
    ],
    link: ['Entra en {s} con este enlace: {u}'],
    notice: ['{s}: alguien inició sesión en tu cuenta desde un dispositivo nuevo.'],
  },
  pt: {
    code: [
      'Seu código de verificação {s} é {c}. Não compartilhe.',
      '{s}: use o código {c} para entrar. Válido por 5 minutos.',
    ],
    link: ['Toque para entrar no {s}: {u}'],
    notice: ['{s}: sua conta foi acessada em um novo aparelho.'],
  },
  vi: {
    code: [
      'Mã xác minh {s} của bạn là {c}. Không chia sẻ mã này cho bất kỳ ai.',
      '{c} là mã OTP đăng nhập {s}, hiệu lực trong 5 phút.',
    ],
    link: ['{s}: nhấn vào liên kết để đăng nhập {u}'],
    notice: ['{s}: tài khoản của bạn vừa đăng nhập trên thiết bị mới.'],
  },
  th: {
    code: ['รหัสยืนยัน {s} ของคุณคือ {c} ห้ามบอกผู้อื่น', '{s}: OTP {c} ใช้ได้ภายใน 5 นาที'],
    link: ['แตะเพื่อเข้าสู่ระบบ {s}: {u}'],
    notice: ['{s}: มีการเข้าสู่ระบบบัญชีของคุณจากอุปกรณ์ใหม่'],
  },
  fr: {
    code: [
      'Votre code {s} est {c}. Ne le communiquez à personne.',
      '{c} est votre code de vérification {s}. Il expire dans 10 minutes.',
    ],
    link: ['{s} : connectez-vous avec ce lien {u}'],
    notice: ['{s} : connexion à votre compte depuis un nouvel appareil.'],
  },
  de: {
    code: [
      'Dein {s}-Code lautet {c}. Gib ihn nicht weiter.',
      '{c} ist dein Bestätigungscode für {s}. Er gilt 10 Minuten.',
    ],
    link: ['{s}: Hier anmelden {u}'],
    notice: ['{s}: Anmeldung bei deinem Konto mit einem neuen Gerät.'],
  },
  tr: {
    code: [
      '{s} doğrulama kodunuz: {c}. Kimseyle paylaşmayın.',
      '{c}, {s} giriş kodunuzdur. 3 dakika geçerlidir.',
    ],
    link: ['{s} girişi için dokunun: {u}'],
    notice: ['{s}: hesabınıza yeni bir cihazdan giriş yapıldı.'],
  },
  ja: {
    code: [
      '{s} 認証コード：{c}\n第三者には絶対に教えないでください。',
      '【{s}】{c} がログイン用の確認コードです。',
    ],
    link: ['{s} にログインするには次のリンクをタップしてください {u}'],
    notice: ['{s}：新しい端末からログインがありました。'],
  },
  fa: {
    code: ['کد تأیید {s} شما: {c}\nآن را به کسی ندهید.', '{c} کد ورود شما به {s} است.'],
    link: ['برای ورود به {s} کلیک کنید: {u}'],
    notice: ['{s}: از دستگاه جدیدی وارد حساب شما شدند.'],
  },
  ur: {
    code: ['آپ کا {s} تصدیقی کوڈ {c} ہے۔ کسی کو نہ بتائیں۔', '{s}: آپ کا OTP {c} ہے، 5 منٹ تک کارآمد۔'],
    link: ['{s} میں داخل ہونے کے لیے دبائیں: {u}'],
    notice: ['{s}: آپ کے اکاؤنٹ میں نئے آلے سے لاگ ان ہوا ہے۔'],
  },
};
