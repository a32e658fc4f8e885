import { z } from 'zod';
import { choosable } from '../uploads/upload-over.ts';
import { operation } from './operation.ts';
import { shapes } from './shapes.ts';

const list = operation({
  id: 'listConnections',
  method: 'get',
  path: '/connections',
  summary: 'List what uploads can be paid over',
  description: 'Those that work and that the person of the token may prepare payments over.',
  scopes: ['uploads:write'],
  query: z.object({}),
  answers: { 200: shapes.connections },
  problems: [],
  handle: async ({ web, person }) => {
    const { connections } = await choosable(web, person);
    const items = connections.map(({ id, name, service, entity, isRehearsal }) => {
      const mode = isRehearsal === null ? ('unknown' as const) : isRehearsal ? ('test' as const) : ('live' as const);
      return { id, name, service, entity: { id: entity.id, name: entity.name }, mode };
    });
    return { status: 200, body: { items, next_cursor: null } };
  },
});

export const connectionOperations = [list];
