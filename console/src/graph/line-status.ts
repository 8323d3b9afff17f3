/** How the line to the gateway stands, for the status line. */
export type LineStatus =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  | { readonly kind: 'reconnecting'; readonly since: number }
  /** Connected anew a moment ago: every stream goes on behind the last item it had. */
  | { readonly kind: 'resumed' };
