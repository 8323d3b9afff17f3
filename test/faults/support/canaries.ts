/** Every secret that stands in one of the places, as `secret in place`. Quoted forms count: JSON, URLs and base64 hide nothing. */
export function leaksIn(
  places: Readonly<Record<string, string>>,
  secrets: Iterable<string>,
): readonly string[] {
  return [...secrets].flatMap((secret) =>
    Object.entries(places)
      .filter(([, text]) => formsOf(secret).some((form) => text.includes(form)))
      .map(([place]) => `${secret} in ${place}`),
  );
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('hex'),
  ];
}
