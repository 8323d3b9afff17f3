import { describe, expect, it } from 'vitest';
import { suggestCode } from '../../../src/domain/sms/suggest-code.ts';

function reads(name: string, cases: readonly (readonly [message: string, code: string | null])[]): void {
  describe(name, () => {
    it.each(cases)('%j reads as %j', (message, code) => {
      expect(suggestCode(message)).toBe(code);
    });
  });
}

reads('groups of digits come joined', [
  ['Your code is 482 913', '482913'],
  ['Your code is 482-913', '482913'],
  ['Your code is 482.913', '482913'],
  ['Your code is 48-29-13', '482913'],
  ['Your code is 48 29 13.', '482913'],
  ['Your code is 4 8 2 9 1 3', '482913'],
  ['Your code is 4829 1300', '48291300'],
  ['Your code is 482–913', '482913'],
  ['Your code is 482\u00a0913', '482913'],
]);

reads('letters', [
  ['Your access code is A7K9Q2', 'A7K9Q2'],
  ['A7K9Q2 is your access code', 'A7K9Q2'],
  ['Your temporary password is kX7mP2qa.', 'kX7mP2qa'],
  ['Your recovery code: K7QX-M2P9', 'K7QX-M2P9'],
  ['Your Guard code: BXQTR', 'BXQTR'],
  ['Your code was sent to your iPhone15', null],
  ['Your code: EXPIRED', null],
]);

reads('a prefix that the form shows itself is not typed', [
  ['G-482913 is your Google verification code.', '482913'],
  ['FB-48291 is your code', '48291'],
  ['To approve, use OTP QRT-482913 within 3 min', '482913'],
  ['OTP482913 for login', '482913'],
]);

reads('digits of any script come as ASCII', [
  ['رمز التحقق: ٤٨٢٩١٣', '482913'],
  ['کد تایید: ۴۸۲۹۱۳', '482913'],
  ['आपका ओटीपी ४८२९१३ है', '482913'],
  ['আপনার কোড ৪৮২৯১৩', '482913'],
  ['รหัส OTP ๔๘๒๙๑๓', '482913'],
  ['验证码：４８２９１３', '482913'],
  ['認証コード: 𝟒𝟖𝟐𝟗𝟏𝟑', '482913'],
  ['رمز التحقق ٤٨٢ ٩١٣', '482913'],
]);

reads('right-to-left text', [
  ['\u202b482913 هو رمز الدخول\u202c', '482913'],
  ['رمز الدخول \u2066482-913\u2069', '482913'],
  ['\u200f482913\u200f הוא קוד הכניסה שלך', '482913'],
  ['آپ کا کوڈ 482913 ہے', '482913'],
]);

reads('before and after the cue, in quotes and brackets', [
  ['482913 is your code', '482913'],
  ['Code 482913', '482913'],
  ['Your code is "482913"', '482913'],
  ['Ваш код: «482913»', '482913'],
  ['認証番号は「482913」です', '482913'],
  ['인증번호 [482913]를 입력', '482913'],
  ['(482913) is your login code', '482913'],
  ['*482913* is your code', '482913'],
  ['Your code is 482913.Do not share it', '482913'],
  ['Your code is A7K9Q2.Do not share it', 'A7K9Q2'],
]);

reads('unusual lengths stand beside their cue or not at all', [
  ['Your code is 905', '905'],
  ['Your code is 9051234567', '9051234567'],
  ['Your code is 2045', '2045'],
  ['Your code expires on 12 May 2045', null],
  ['Your code is 90512345678', null],
]);

reads('what phones and browsers fill in from', [
  ['<#> Your code is 482913\nFA+9qCX9VSu', '482913'],
  ['<#> Your code is waiting\nFA+9qCX9VSu', null],
  ['[#] 4829 is your code qlRnn4A1sbt', '4829'],
  ['Sign in to Lumio.\n\n@lumio.example #482913', '482913'],
  ['Code 111222 was refused.\n@lumio.example #482913', '482913'],
  ['@lumio.example #482913 @shop.example', '482913'],
  ['@lumio #482913 people say so', null],
  ['lumio.example #771204\nYour code is 482913', '482913'],
  ['@lumio.example says hello.\nYour code is 482913', '482913'],
  ['@lumio.example\nYour code is 482913', '482913'],
  ['@lumio.example A#771204\nYour code is 482913', '482913'],
  ['@lumio.example #771204!\nYour code is 482913', '482913'],
  ['@lumio.example #welcome\nYour code is 482913', '482913'],
  ['@lumio.example #1234567890123\nYour code is 482913', '482913'],
  ['@lumio.example #A7K9Q2M4X8B1', 'A7K9Q2M4X8B1'],
]);

reads('amounts', [
  ['Your code to pay Rp 15.000 is 482913', '482913'],
  ['Your code to pay Rp 15000 is ready', null],
  ['Kode bayar: Rp 15.000', null],
  ['Your code to pay $12.50 is 482913', '482913'],
  ['OTP 482913 Rs 500', '482913'],
  ['OTP for ₹1,500', null],
  ['OTP for ₹1500', null],
  ['Код для оплаты 1500 руб', null],
  ['验证码用于支付1250元', null],
  ['Confirm: 4500 points', null],
  ['Code: 50000% more', null],
]);

reads('dates, times, durations', [
  ['Your code expires 12.05.2025', null],
  ['Your code expires 2025-05-12 at 12:30', null],
  ['Your code expires 12/05/25, 14:30:15', null],
  ['Your code is valid for 1440 minutes', null],
  ['Kode berlaku 5 menit', null],
  ['Your code 4829 is valid until 12:30', '4829'],
]);

reads('numbers with another name', [
  ['Your code was used with the card ending 4821', null],
  ['Your code for card ending 4821 is 482913', '482913'],
  ['OTP for your card is 482913', '482913'],
  ['Code for xx4821: 482913', '482913'],
  ['Code for **** 4821: 482913', '482913'],
  ['Your order 482913 is confirmed', null],
  ['Order 482913: your code is 5521', '5521'],
  ['Your promo code is SAVE2025', null],
  ['Your tracking code is 88201934', null],
  ['Code lost? Call 18001234', null],
  ['Code lost? +1 (555) 010-4477', null],
  ['Code lost? 0800 123 4567', null],
  ['Version 2.14.3 of your password app is out', null],
  ['Meter reading 48213 received. Your password stays the same', null],
  ['Your password stays the same for the meter reading 48213', null],
]);

reads('links and addresses', [
  ['https://lumio.example/v/482913', null],
  ['Verify: https://lumio.example/v/482913?code=771204', null],
  ['Verify: lumio.example/482913', null],
  ['Your code (https://lumio.example/a,482913) is here', null],
  ['Code 482913, link https://lumio.example/771204', '482913'],
  ['Code:482913,https://lumio.example/771204', '482913'],
  ['The code went to ann48213@lumio.example', null],
]);

reads('several candidates', [
  ['Request 771204 (login). Code: 482913', '482913'],
  ['ma GD 2217 ma OTP 482913', '482913'],
  ['Your code is 482913. Again: 482913', '482913'],
  ['Your backup codes: 48210394, 59127740, 10385526', null],
  ['Your backup codes: A7K9Q2, B8L4R3, C2M6T9', null],
  ['Your backup codes:\nk7qx-m2p9\nb8l4-r3n5', null],
  ['Codes: 482913 or 771204', null],
  ['Your code is 482913. From 48291 you get no other.', '482913'],
  ['PIN 4829. Your code is 7712', '4829'],
  ['PIN 4829, code 7712', null],
  ['code 4829, code 7712', null],
]);

reads('an offer makes a plain code a voucher', [
  ['Use code 48291 for 20% off', null],
  ['20% off this week! Your verification code is 482913', '482913'],
]);

reads('without any cue', [
  ['482913', '482913'],
  ['Chattr: 482-913', '482913'],
  ['4829', '4829'],
  ['Room: 4829', null],
  ['Chattr: 4829', null],
  ['Chattr: 48291', '48291'],
  ['Chattrchattr: 48291', '48291'],
  ['Chattrchattrs: 48291', null],
  ['482913, 12:30', null],
  ['482913, 771204', null],
  ['12:30', null],
  ['**** 4829', null],
  ['905', null],
  ['2025', null],
  ['See you at the corner of the park, 482913', null],
  ['', null],
  ['   \n', null],
]);
