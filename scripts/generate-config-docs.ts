// Writes .env.example and docs/configuration.md from the configuration's schema; with --check it writes nothing and
// fails where one of them has drifted.
import { readFileSync, writeFileSync } from 'node:fs';
import { configReference } from '../src/config/settings.ts';

const groups = [...new Set(configReference.map(({ group }) => group))];

const documents: ReadonlyMap<string, string> = new Map([
  ['.env.example', envExample()],
  ['docs/configuration.md', configurationPage()],
]);

if (process.argv.includes('--check')) {
  const drifted = [...documents].filter(([path, text]) => read(path) !== text).map(([path]) => path);
  for (const path of drifted) console.error(`${path} is not what the schema says. Run: npm run docs:config`);
  process.exitCode = drifted.length === 0 ? 0 : 1;
} else {
  for (const [path, text] of documents) writeFileSync(path, text);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function envExample(): string {
  const settings = groups.map((group) => {
    const lines = configReference
      .filter((setting) => setting.group === group)
      .map(({ name, meaning, takes, default: fallback, secret }) => {
        const file = secret ? ` Or ${name}_FILE: the path of a file that holds it.` : '';
        return `# ${sentence(meaning)}\n# Takes ${takes}.${file}\n#${name}=${fallback ?? ''}\n`;
      });
    return `# ---- ${group}\n\n${lines.join('\n')}`;
  });
  return `# Made by "npm run docs:config" from src/config/settings.ts; docs/configuration.md says more.
# Copy it to .env and take the # from what you set. As it stands, everything is simulated.
# Where .env and the environment name the same setting, the environment wins.

${settings.join('\n')}`;
}

function configurationPage(): string {
  const tables = groups.map((group) => {
    const rows = configReference
      .filter((setting) => setting.group === group)
      .map(({ name, meaning, takes, default: fallback, secret }) => {
        const names = secret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
        const value = fallback === undefined ? '-' : `\`${fallback}\``;
        return `| ${names} | ${value} | ${cell(meaning)} | ${cell(takes)} |`;
      });
    return `## ${group}\n\n| name | default | meaning | takes |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return `# Configuration

<!-- Made by "npm run docs:config" from src/config/settings.ts: change it there. -->

Switchboard is set up by environment variables, or by a file \`.env\` in the directory it is started in; where both name
a setting, the environment wins. A blank value counts as not set. Everything is checked as a whole at start: every
mistake is named in one go, with what to do, and nothing starts half configured. A name that looks like a mistyped
setting is warned of.

**Sandbox or live.** With neither \`SMSCODE_API_TOKEN\` nor \`SUPPLIER_API_KEY\` set, both upstreams run simulated inside, on
\`SANDBOX_PORT\`. As soon as one is set, everything is live, and the side without its secret is off: it answers
UPSTREAM_NOT_CONFIGURED. With \`NODE_ENV=production\` and neither set, \`serve\` refuses to start.

**Secrets in files.** What has a \`_FILE\` beside it may be given as the path of a file that holds the value (blanks and
line breaks around it are dropped), as container platforms mount secrets. Setting both is a mistake.

**Rotation.** \`SMSCODE_WEBHOOK_SECRET\` and \`ENCRYPTION_KEY\` take several values, newest first: put the new one in front,
restart every instance, and take the old one away once nothing uses it any more.

${tables.join('\n')}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
