import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// A body is lines that are no fence: an empty block must not swallow the page up to the next one.
const EMBEDDED = /^(<!-- file: (\S+) -->\n```\w+\n)(?:(?!```).*\n)*```$/gm;

/** A page whose code blocks marked `<!-- file: PATH -->` hold those files, whole and as they are. */
export function withFiles(page: string, project: string): string {
  return page.replaceAll(EMBEDDED, (_block, head: string, path: string) => {
    const text = readFileSync(join(project, path), 'utf8').trimEnd();
    return `${head}${text}\n\`\`\``;
  });
}
