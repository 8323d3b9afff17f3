import { z } from 'zod';

const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.object({ code: z.string() }).optional() }))
    .optional(),
});
export type GraphAnswer = z.output<typeof answerSchema>;

/** A public client with a key. What it cannot reach throws. */
export interface Graph {
  readonly url: string;
  readonly key: string;
  ask(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<GraphAnswer>;
  /** The data alone. @throws Error where there is none. */
  read<Shape extends z.ZodType>(
    shape: Shape,
    query: string,
    variables?: Readonly<Record<string, unknown>>,
  ): Promise<z.output<Shape>>;
}

export function openGraph(url: string, key: string): Graph {
  const ask: Graph['ask'] = async (query, variables = {}, signal) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, variables }),
      ...(signal !== undefined && { signal }),
    });
    return answerSchema.parse(await response.json());
  };
  return {
    url,
    key,
    ask,
    async read(shape, query, variables) {
      const { data, errors } = await ask(query, variables);
      if (errors !== undefined) throw new Error(`${errors[0]?.extensions?.code}: ${errors[0]?.message}`);
      return shape.parse(data);
    },
  };
}

/** All nodes of a list, page by page. */
export async function everything<Node>(
  page: (after: string | null) => Promise<{
    readonly nodes: readonly Node[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null | undefined };
  }>,
): Promise<readonly Node[]> {
  const nodes: Node[] = [];
  let after: string | null = null;
  for (;;) {
    const found = await page(after);
    nodes.push(...found.nodes);
    if (!found.pageInfo.hasNextPage) return nodes;
    after = found.pageInfo.endCursor ?? null;
  }
}
