import type { ProtoGrpcType } from './generated/personal.ts';
import { loadPackage } from './loadPackage.ts';

export type { ErasePersonRequest__Output as ErasePersonRequest } from './generated/gradeway/personal/v1/ErasePersonRequest.ts';
export type { ErasePersonResponse } from './generated/gradeway/personal/v1/ErasePersonResponse.ts';
export type {
  ExportPersonResponse,
  ExportPersonResponse__Output as ExportPersonPart,
} from './generated/gradeway/personal/v1/ExportPersonResponse.ts';
export type { PersonalDataServiceHandlers } from './generated/gradeway/personal/v1/PersonalDataService.ts';
export type { PersonFile__Output as PersonFile } from './generated/gradeway/personal/v1/PersonFile.ts';
export type { PersonRecord__Output as PersonRecord } from './generated/gradeway/personal/v1/PersonRecord.ts';

/** Client constructor of PersonalDataService; `.service` is its definition for a server. */
export const PersonalDataService = loadPackage<ProtoGrpcType>('gradeway/personal/v1/personal.proto').gradeway
  .personal.v1.PersonalDataService;
