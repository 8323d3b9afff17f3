import { describe, expect, it } from 'vitest';
import { suggestCode } from '../../../src/domain/sms/suggest-code.ts';

function reads(name: string, cases: readonly (readonly [message: string, code: string | null])[]): void {
  describe(name, () => {
    it.each(cases)('%j reads as %j', (message, code) => {
      expect(suggestCode(message)).toBe(code);
    });
  });
}

// For the languages of which the corpus has too few messages to miss a line of the table: each of these hangs on one.

reads('what is said of one-time codes alone needs no other word', [
  ['Nomor verifikasi Anda untuk Lumio: 482913', '482913'],
  ['Namba ya uthibitisho ya Lumio ni 482913', '482913'],
  ['Número de verificación para Lumio: 482913', '482913'],
  ['Número de verificação para Lumio: 482913', '482913'],
  ["Numéro d'authentification Lumio : 482913", '482913'],
  ['Numero di verifica per Lumio: 482913', '482913'],
  ['Ihre Bestätigungsnummer für Lumio: 482913', '482913'],
  ['Uw verificatienummer voor Lumio: 482913', '482913'],
  ['Ditt verifieringsnummer hos Lumio: 482913', '482913'],
  ['Dit bekræftelsesnummer hos Lumio: 482913', '482913'],
  ['Vahvistusnumerosi palveluun: 482913', '482913'],
  ['Numer weryfikacyjny serwisu: 482913', '482913'],
  ['Ověřovací číslo služby Lumio: 482913', '482913'],
  ['Ellenőrző szám a belépéshez: 482913', '482913'],
  ['Lumio doğrulama numaranız: 482913', '482913'],
  ['Одноразовое число для сервиса: 482913', '482913'],
  ['Число підтвердження для сервісу: 482913', '482913'],
  ['Αριθμός επαλήθευσης για το Lumio: 482913', '482913'],
  ['Հաստատման համարը Lumio-ի համար՝ 482913', '482913'],
  ['מספר לאימות החשבון שלך בלומיו: 482913', '482913'],
  ['หมายเลขยืนยันตัวตนของคุณสำหรับลูมิโอ: 482913', '482913'],
  ['ルミオのワンタイムの数字です：482913', '482913'],
]);

reads('what is said of any code or password', [
  ['Mat khau tam thoi cua quy khach: 482913', '482913'],
  ['Ο προσωρινός κωδικός για το Lumio: 482913', '482913'],
]);

reads('a warning not to pass it on says that it is one', [
  ['Lumio: 482913. Never share this with anyone.', '482913'],
  ['Lumio: 482913. No lo compartas con nadie, ni por teléfono.', '482913'],
  ['Lumio: 482913. Nie podawaj go nikomu, nawet nam.', '482913'],
  ['Lumio: 482913. Никому не сообщайте эти цифры.', '482913'],
  ['لوميو: 482913. لا تشارك هذا الرقم مع أي شخص', '482913'],
  ['【路米】482913，切勿转发给任何人，包括本公司的工作人员。', '482913'],
]);

reads('a number with another name is no code', [
  ['Code for card 48213', null],
  ['Code for room 48213', null],
  ['Code for ticket 48213', null],
  ['Your dress code: 48213', null],
  ['Code for train 48213', null],
  ['Kode untuk pesanan 48213', null],
  ['Kode unik: 48213', null],
  ['Kod untuk akaun 48213', null],
  ['Código para la cuenta 48213', null],
  ['Código do protocolo 48213', null],
  ['Code pour la carte 48213', null],
  ['Votre code postal: 48213', null],
  ['Kode zur Rechnung 48213', null],
  ['Codice per la carta 48213', null],
  ['Kod till belopp 48213', null],
  ['Kode til pakke 48213', null],
  ['Hasło do paczki 48213', null],
  ['Kod w paczce 48213', null],
  ['Heslo k objednávce 48213', null],
  ['Heslo k zásilce 48213', null],
  ['Heslo: účet 48213', null],
  ['Codul pentru colet 48213', null],
  ['Şifre: sipariş 48213', null],
  ['Mat khau tai khoan 48213', null],
  ['Пароль для заказа 48213', null],
  ['Пароль: договор 48213', null],
  ['Код: замовлення 48213', null],
  ['Κωδικός για παραγγελία 48213', null],
  ['رمز الحساب 48213', null],
  ['رمز سفارش 48213', null],
  ['קוד הזמנה 48213', null],
  ['कोड ऑर्डर 48213', null],
  ['รหัสพัสดุ 48213', null],
  ['密码已用于订单48213', null],
  ['コードのご注文番号48213', null],
  ['비밀번호 주문번호 48213', null],
]);

reads('an offer makes a plain code a voucher', [
  ['Nhap ma 48213 de duoc khuyen mai', null],
  ['Скидка! Ваш код 48213', null],
  ['خصم اليوم: الكود 48213', null],
  ['限时优惠，代码48213', null],
]);

reads('a currency makes a number an amount', [
  ['Your code to pay NGN 15000 is ready', null],
  ['Your code to pay PLN 15000 is ready', null],
]);

reads('a word that leads to the number carries a cue from further away', [
  ['Код для первого посещения нового кабинета это 482913', '482913'],
  ['رمز الدخول إلى تطبيق لوميو لهذا اليوم هو 482913', '482913'],
  ['確認コードとしてお客様のご登録いただいた端末に本日あらたにお送りした番号は482913です', '482913'],
]);
