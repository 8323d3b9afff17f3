type Area = 'local' | 'session';

/** Browsers that keep nothing throw at the very word: then nothing is kept, and the page still works. */
export function readKept(area: Area, name: string): string | null {
  try {
    return areaOf(area).getItem(name);
  } catch {
    return null;
  }
}

/** Null: forget it. */
export function keep(area: Area, name: string, value: string | null): void {
  try {
    if (value === null) areaOf(area).removeItem(name);
    else areaOf(area).setItem(name, value);
  } catch {
    // Full or forbidden.
  }
}

function areaOf(area: Area): Storage {
  return area === 'local' ? localStorage : sessionStorage;
}
