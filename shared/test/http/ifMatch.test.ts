import { expectedTags } from '@gradeway/shared/http/ifMatch';
import type { Request } from 'express';
import { expect, test } from 'vitest';

const read = (header: string | undefined) => expectedTags({ get: () => header } as unknown as Request);

test.each([
  ['any state without the header', undefined, undefined],
  ['any state for *', ' * ', undefined],
  ['one tag', '"3-abc"', ['"3-abc"']],
  ['every tag of a list', '"1-a" ,"2-b"', ['"1-a"', '"2-b"']],
  ['a weak tag as it is, so that it equals no strong one', 'W/"3-abc"', ['W/"3-abc"']],
])('If-Match accepts %s', (_, header, tags) => {
  expect(read(header)).toEqual(tags);
});
