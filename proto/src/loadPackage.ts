import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GrpcObject, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const protoDirectory = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Loads a .proto file of this package. The options must match generate.js. In decoded messages every field is present,
 * except an `optional` one that was not sent, and 64-bit integers are numbers.
 */
export function loadPackage<Package>(file: string): Package {
  const definition = loadSync(file, {
    includeDirs: [protoDirectory],
    longs: Number,
    enums: String,
    defaults: true,
    arrays: true,
    objects: true,
    oneofs: true,
  });
  return loadPackageDefinition(definition) as GrpcObject as Package;
}
