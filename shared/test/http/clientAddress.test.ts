import { networkOf } from '@gradeway/shared/http/clientAddress';
import { expect, test } from 'vitest';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['unknown', ''],
  ['192.0.2.7, 192.0.2.8', ''],
  ['', ''],
])('the network of "%s" is "%s"', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
