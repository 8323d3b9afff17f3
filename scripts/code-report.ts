// How well suggestCode reads the corpus: whole, held out, and by language.
import { corpus, type Tally, tally } from '../test/domain/sms/corpus.ts';

const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`;

function line(name: string, of: Tally): string {
  const cells = [of.messages, of.withCode, of.read, of.misread, of.alarms].map((count) =>
    String(count).padStart(9),
  );
  const hits = of.withCode === 0 ? '-' : percent(of.hitRate);
  return `${name.padEnd(9)}${cells.join('')}${hits.padStart(11)}${percent(of.falseAlarmRate).padStart(9)}\n`;
}

const heldOut = corpus.filter((message) => message.heldOut);
const languages = [...new Set(corpus.map(({ language }) => language))];
const heading = `${' '.repeat(9)} messages     code     read  misread   alarms   hit rate   false\n`;

process.stdout.write(
  [
    heading,
    line('whole', tally(corpus)),
    line('held out', tally(heldOut)),
    '\n',
    ...languages.map((language) =>
      line(language, tally(corpus.filter((message) => message.language === language))),
    ),
  ].join(''),
);
