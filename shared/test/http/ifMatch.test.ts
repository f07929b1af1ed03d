import { readIfMatch } from '@gradeway/shared/http/ifMatch';
import { expect, test } from 'vitest';

test.each([
  ['undefined without the header', undefined, undefined],
  ['any state for *', ' * ', 'any'],
  ['one tag', '"3-abc"', ['"3-abc"']],
  ['every tag of a list', '"1-a" ,"2-b"', ['"1-a"', '"2-b"']],
  ['a weak tag unchanged, so that it equals no strong tag', 'W/"3-abc"', ['W/"3-abc"']],
  ['a malformed tag unchanged', '"a", c', ['"a"', 'c']],
])('If-Match is read as %s', (_, header, tags) => {
  expect(readIfMatch({ get: () => header } as unknown as Parameters<typeof readIfMatch>[0])).toEqual(tags);
});
