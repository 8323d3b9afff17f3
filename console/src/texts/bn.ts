import type { Texts } from './en.ts';
import { en } from './en.ts';
export const bn: Texts = en;
