import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { schema } from '../../src/resolvers/index.ts';
import { printGraph } from '../../src/resolvers/print.ts';

const printed = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
const contract = buildSchema(readFileSync(new URL('contract.sdl', import.meta.url), 'utf8'));

function ownTypes(graph: GraphQLSchema): GraphQLNamedType[] {
  return Object.values(graph.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
}

/** Every fact that a client may rely on, one a line: `Query.order(id:): ID!`, `enum Scope.BUYER`, `A implements B`. */
function facts(graph: GraphQLSchema): string[] {
  return ownTypes(graph).flatMap((type): string[] => {
    const kind = `${type.constructor.name} ${type.name}`;
    if (isEnumType(type)) return [kind, ...type.getValues().map((value) => `${type.name}.${value.name}`)];
    if (isInputObjectType(type)) {
      return [kind, ...Object.values(type.getFields()).map((field) => `${type.name}.${input(field)}`)];
    }
    if (!isObjectType(type) && !isInterfaceType(type)) return [kind];
    return [
      kind,
      ...type.getInterfaces().map((parent) => `${type.name} implements ${parent.name}`),
      ...Object.values(type.getFields()).flatMap((field) => [
        `${type.name}.${field.name}: ${field.type}`,
        ...field.args.map((arg) => `${type.name}.${field.name}(${input(arg)})`),
      ]),
    ];
  });
}

function input({ name, type, defaultValue }: GraphQLArgument | GraphQLInputField): string {
  return `${name}: ${type} = ${JSON.stringify(defaultValue)}`;
}

describe('the printed graph', () => {
  it('is schema.graphql, or that file must be printed anew', () => {
    expect(printGraph()).toBe(printed);
  });

  it('contains the contract in full', () => {
    const held = new Set(facts(buildSchema(printed)));
    const missing = facts(contract).filter((fact) => !held.has(fact));
    expect(facts(contract).length).toBeGreaterThan(500);
    expect(missing).toEqual([]);
  });

  it('adds no argument or input field that a client of the contract would have to give', () => {
    const known = new Set(facts(contract).filter((fact) => fact.includes(' = ')));
    const required = facts(schema).filter((fact) => / \S+! = undefined\)?$/.test(fact));
    expect(required.length).toBeGreaterThan(10);
    // A field that the contract does not have may ask for what it likes.
    const isOfContract = (fact: string): boolean => {
      const [owner = '', field = ''] = fact.split(/[.(]/);
      const type = contract.getType(owner);
      return type !== undefined && (!isObjectType(type) || type.getFields()[field] !== undefined);
    };
    expect(required.filter((fact) => isOfContract(fact) && !known.has(fact))).toEqual([]);
  });

  it('implements an interface of the contract by the contract types alone', () => {
    for (const type of ownTypes(contract).filter(isInterfaceType)) {
      const here = schema.getType(type.name);
      if (!isInterfaceType(here)) throw new Error(`${type.name} is no interface`);
      const names = (graph: GraphQLSchema, parent: typeof type) =>
        graph
          .getPossibleTypes(parent)
          .map(({ name }) => name)
          .sort();
      expect(names(schema, here)).toEqual(names(contract, type));
    }
  });
});

describe('descriptions', () => {
  const described = ownTypes(schema).flatMap((type): [string, string | null | undefined][] => {
    const own: [string, string | null | undefined] = [type.name, type.description];
    if (isEnumType(type)) {
      return [
        own,
        ...type
          .getValues()
          .map((v): [string, typeof v.description] => [`${type.name}.${v.name}`, v.description]),
      ];
    }
    if (isInputObjectType(type)) {
      return [
        own,
        ...Object.values(type.getFields()).map((f): [string, typeof f.description] => [
          `${type.name}.${f.name}`,
          f.description,
        ]),
      ];
    }
    if (!isObjectType(type) && !isInterfaceType(type)) return [own];
    return [
      own,
      ...Object.values(type.getFields()).flatMap((field): [string, string | null | undefined][] => [
        [`${type.name}.${field.name}`, field.description],
        ...field.args.map((arg): [string, typeof arg.description] => [
          `${type.name}.${field.name}(${arg.name})`,
          arg.description,
        ]),
      ]),
    ];
  });

  it('are there for every type, field, argument and value', () => {
    expect(described.length).toBeGreaterThan(500);
    expect(
      described.filter(([, text]) => text === null || text === undefined || text.trim().length < 4),
    ).toEqual([]);
  });

  it('are whole sentences or phrases that end in a full stop', () => {
    expect(described.filter(([, text]) => !/^\S.*[^\s.]\.$/s.test(text ?? '')).map(([name]) => name)).toEqual(
      [],
    );
  });
});
