import { problemLine } from '../config/problem.ts';
import { type Config, type ConfigNeed, loadConfig } from '../config.ts';
import { CommandFailure, problemText } from './output.ts';

/**
 * The configuration of a command. `warn` is told of what will run, but perhaps not as it was meant.
 *
 * @throws CommandFailure naming every problem.
 */
export function readConfig(need: ConfigNeed, warn: (line: string) => void): Config {
  const parsed = loadConfig(need);
  for (const warning of parsed.warnings) warn(problemLine(warning));
  if (parsed.kind === 'invalid') throw new CommandFailure(problemText(parsed.problems));
  return parsed.config;
}
