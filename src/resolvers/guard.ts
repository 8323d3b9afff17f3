import type { GraphQLResolveInfo } from 'graphql';
import { allows, type Scope } from '../domain/access.ts';
import type { GraphContext } from '../schema/context.ts';
import { forbidden, notConfigured, type Side } from './errors.ts';

type Resolver<Parent, Args, Result> = (
  parent: Parent,
  args: Args,
  context: GraphContext,
  info: GraphQLResolveInfo,
) => Result;

/** A root field of the buyer side: scope BUYER. */
export function asBuyer<Parent, Args, Result>(
  resolve: Resolver<Parent, Args, Result>,
): Resolver<Parent, Args, Result> {
  return guarded('BUYER', 'buyer', resolve);
}

/** A root field of the supplier side: scope SUPPLIER. */
export function asSupplier<Parent, Args, Result>(
  resolve: Resolver<Parent, Args, Result>,
): Resolver<Parent, Args, Result> {
  return guarded('SUPPLIER', 'supplier', resolve);
}

/** A root field of the buyer side that only an operator may use. */
export function asOperator<Parent, Args, Result>(
  resolve: Resolver<Parent, Args, Result>,
): Resolver<Parent, Args, Result> {
  return guarded('OPERATOR', 'buyer', resolve);
}

/** A root field for operators that is of no side: what the gateway keeps about itself. */
export function asOverseer<Parent, Args, Result>(
  resolve: Resolver<Parent, Args, Result>,
): Resolver<Parent, Args, Result> {
  return guarded('OPERATOR', null, resolve);
}

/** The scope first, and before any look-up: who may not ask learns nothing, not even how the gateway is set up. */
function guarded<Parent, Args, Result>(
  needed: Scope,
  side: Side | null,
  resolve: Resolver<Parent, Args, Result>,
): Resolver<Parent, Args, Result> {
  return (parent, args, context, info) => {
    if (!allows(context.caller.scopes, needed)) throw forbidden(needed);
    if (side !== null && !isConfigured(context, side)) throw notConfigured(side);
    return resolve(parent, args, context, info);
  };
}

function isConfigured({ deps }: GraphContext, side: Side): boolean {
  const { buyerConfigured, supplierConfigured } = deps.settings;
  return side === 'buyer' ? buyerConfigured : supplierConfigured;
}
