import type { Random } from '../../kernel/random.ts';
import { slug } from './operators.ts';

export type Service = {
  readonly id: number;
  /** A slug. */
  readonly code: string;
  readonly name: string;
  readonly active: boolean;
  /** 0 to 1: how likely a country has numbers for it. */
  readonly popularity: number;
};

/** The most wanted first: the place decides popularity and id. Append, never insert. */
const KNOWN = `
Telegram|WhatsApp|Google|Facebook|Instagram|TikTok|Twitter|OpenAI|Discord|Microsoft|Amazon|Netflix|Shopee|Tokopedia
Gojek|Grab|Lazada|LINE|WeChat|Viber|Signal|Snapchat|LinkedIn|Uber|PayPal|Apple|Yahoo|Steam|Tinder|Bumble|Airbnb
Booking|AliExpress|Alibaba|Alipay|Binance|Coinbase|Kraken|Bybit|OKX|KuCoin|Wise|Revolut|Skype|Zoom|Slack|Dropbox|Adobe
Spotify|Twitch|YouTube|Pinterest|Reddit|Quora|Tumblr|Medium|GitHub|GitLab|DigitalOcean|Cloudflare|Claude|Gemini
Perplexity|Midjourney|Mistral|DANA|OVO|GoPay|LinkAja|Traveloka|Tiket|Bukalapak|Blibli|Zalo|MoMo|VNPay|Tiki|Paytm|PhonePe
Flipkart|Swiggy|Zomato|Ola|Meesho|bKash|Nagad|Daraz|Foodpanda|Pathao|Yandex|VK|Mail.ru|Avito|Ozon|Wildberries|Sberbank
Odnoklassniki|BlaBlaCar|inDrive|Bolt|Glovo|Deliveroo|Wolt|Just Eat|DoorDash|Lyft|Instacart|Walmart|eBay|Etsy|Nike
Adidas|Zara|Shein|Temu|Vinted|OLX|Mercado Libre|Rappi|Nubank|PicPay|iFood|KakaoTalk|Naver|Coupang|Rakuten|Mercari
Weibo|Douyin|Xiaohongshu|Baidu|JD.com|Taobao|Bilibili|Badoo|Hinge|Grindr|OkCupid|Happn|Proton Mail|Outlook|GMX|AOL
Blizzard|Epic Games|Riot Games|Roblox|PlayStation|Xbox|Nintendo|Garena|Mobile Legends|PUBG Mobile|Careem|Noon|Talabat
M-Pesa|Jumia|Opay|PalmPay|Chime|Cash App|Venmo|Zelle|Robinhood|eToro|Starbucks|McDonald's|KFC|Burger King|Domino's
`;

const GENERATED = 350;
const STEMS =
  'Luma Nova Kite Bira Pelo Zest Orbi Mova Tria Veda Soko Hela Runa Plex Fina Gala Jeto Kora Nimb Quil Sira Tavo Umbra Wex Yolo Zeni Arko Bento Cirro Dela Ekko Fyn Gro Hobi Ivo'.split(
    ' ',
  );
const ENDINGS =
  'Pay Mart Chat Ride Bank Food Trip Shop Play Mail Date Cart Cash Stay Drive Bet Job Learn Link Fit'.split(
    ' ',
  );

/** The known names, then made-up ones that look like names, some of them no longer offered. */
export function makeServices(random: Random): readonly Service[] {
  const known = KNOWN.trim().split(/[|\n]/);
  const names = new Set(known);
  while (names.size < known.length + GENERATED) {
    const [stem, ending] = [random.pick(STEMS), random.pick(ENDINGS)];
    names.add(random.chance(0.5) ? `${stem}${ending.toLowerCase()}` : `${stem} ${ending}`);
  }
  return [...names].map((name, at) => ({
    id: at + 1,
    code: slug(name),
    name,
    active: at < known.length || !random.chance(0.03),
    popularity: at < known.length ? 1 - (0.8 * at) / known.length : 0.02 + 0.12 * random.fraction(),
  }));
}
