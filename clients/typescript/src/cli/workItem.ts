import { type Command, InvalidArgumentError, Option } from 'commander';
import { Misuse } from './failures.ts';

export type Kind = 'quizzes' | 'homeworks';

export interface ItemOptions {
  quiz?: number;
  homework?: number;
}

export function parseId(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('An id is a positive number.');
  return Number(text);
}

export const courseOption = (): Option =>
  new Option('--course <id>', 'the course, by the id that gradeway courses shows')
    .argParser(parseId)
    .makeOptionMandatory();

/** Adds the options that name an item. */
export const withItem = (command: Command): Command =>
  command
    .addOption(new Option('--quiz <id>', 'a quiz').argParser(parseId).conflicts('homework'))
    .addOption(new Option('--homework <class id>', 'the homework of a class').argParser(parseId));

export function itemOf({ quiz, homework }: ItemOptions): { kind: Kind; item_id: number } {
  if (quiz !== undefined) return { kind: 'quizzes', item_id: quiz };
  if (homework !== undefined) return { kind: 'homeworks', item_id: homework };
  throw new Misuse('Which item? Pass --quiz ID or --homework CLASS_ID; gradeway work list shows them.');
}
