import { utcTimeOf } from '../../shared/time/moment.ts';
import type { AllowanceFields } from './everyoneRequests.ts';

/**
 * Converts the dialog's form to an allowance. An invalid number is sent as is, so that the server explains the error.
 */
export function allowanceFields(form: FormData): AllowanceFields {
  const typed = (name: string) => String(form.get(name) ?? '').trim();
  const [closesAt, minutes, note] = [typed('closes_at'), typed('extra_minutes'), typed('note')];
  const number = Number(minutes);
  return {
    closes_at: closesAt === '' ? null : utcTimeOf(closesAt),
    extra_minutes: Number.isNaN(number) ? (minutes as unknown as number) : number,
    excused: form.has('excused'),
    note: note === '' ? null : note,
  };
}
