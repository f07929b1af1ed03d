import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GrpcObject, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const protoDirectory = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Loads one .proto of this folder. The options are those that the generated types were made with: every
 * field is present in a decoded message, but an `optional` one that was not sent, and 64-bit integers are numbers.
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
