import { describe, expect, it } from 'vitest';
import { fold } from '../../../src/domain/sms/fold.ts';

describe('the plainest spelling', () => {
  it.each([
    ['Łódź, kłopot', 'Lodz, klopot'],
    ['Đăng nhập, đơn', 'Dang nhap, don'],
    ['Øl på bøf', 'Ol pa bof'],
    ['Ærø, læs', 'AEro, laes'],
    ['Straße', 'Strasse'],
    ['Şifre alındı', 'Sifre alindi'],
    ['№ 4821', '# 4821'],
    ['٢٠٪', '20%'],
    ['١٢٫٥٠', '12.50'],
    ['١٬٥٠٠', '1,500'],
    ['رمز،كود', 'رمز, كود'],
    ['码，482913', '码, 482913'],
    ['1‐2‑3–4—5−6', '1-2-3-4-5-6'],
    ['کلید', 'كليد'],
    ['تحقـــق', 'تحقق'],
    ['code\t4829\r\n', 'code 4829\n\n'],
    ['ＣＯＤＥ：４８２９', 'CODE:4829'],
    ['𝟒𝟖𝟐𝟗', '4829'],
    ['48\u200b29\u202c', '4829'],
    ['كَوْد', 'كود'],
    ['a\u00a0 \u3000 b', 'a b'],
    ['Code 48-29, (OK)!\n~', 'Code 48-29, (OK)!\n~'],
  ])('of %j is %j', (message, plain) => {
    expect(fold(message)).toBe(plain);
  });

  it.each([
    ['Arabic', '٠١٢٣٤٥٦٧٨٩'],
    ['Persian', '۰۱۲۳۴۵۶۷۸۹'],
    ['N’Ko', '߀߁߂߃߄߅߆߇߈߉'],
    ['Devanagari', '०१२३४५६७८९'],
    ['Bengali', '০১২৩৪৫৬৭৮৯'],
    ['Gurmukhi', '੦੧੨੩੪੫੬੭੮੯'],
    ['Gujarati', '૦૧૨૩૪૫૬૭૮૯'],
    ['Odia', '୦୧୨୩୪୫୬୭୮୯'],
    ['Tamil', '௦௧௨௩௪௫௬௭௮௯'],
    ['Telugu', '౦౧౨౩౪౫౬౭౮౯'],
    ['Kannada', '೦೧೨೩೪೫೬೭೮೯'],
    ['Malayalam', '൦൧൨൩൪൫൬൭൮൯'],
    ['Sinhala', '෦෧෨෩෪෫෬෭෮෯'],
    ['Thai', '๐๑๒๓๔๕๖๗๘๙'],
    ['Lao', '໐໑໒໓໔໕໖໗໘໙'],
    ['Tibetan', '༠༡༢༣༤༥༦༧༨༩'],
    ['Myanmar', '၀၁၂၃၄၅၆၇၈၉'],
    ['Khmer', '០១២៣៤៥៦៧៨៩'],
    ['Mongolian', '᠐᠑᠒᠓᠔᠕᠖᠗᠘᠙'],
  ])('of the digits of %s is ASCII', (_, digits) => {
    expect(fold(digits)).toBe('0123456789');
  });
});
