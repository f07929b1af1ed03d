/** English names of the fields in forms, imports and the audit log. Other fields are shown with their API names. */
const fieldNames: Record<string, string> = {
  assignment_deadline: 'Deadline',
  assignment_description: 'Instructions',
  closes_at: 'Closes',
  course_id: 'Course',
  deadline: 'Deadline',
  description: 'Description',
  duration_minutes: 'Minutes for an attempt',
  email: 'Email',
  event_types: 'Events',
  first_name: 'First name',
  is_approved: 'Approved',
  is_blocked: 'Blocked',
  is_verified: 'Email is verified',
  is_verified_mobile: 'Mobile number is verified',
  last_name: 'Last name',
  mobile: 'Mobile number',
  opens_at: 'Opens',
  password: 'Password',
  questions_count_of_quiz_pdf: 'Number of questions',
  role: 'Role',
  since: 'Since',
  title: 'Title',
  total_grade_for_quiz_pdf: 'Out of',
  url: 'Address',
};

export const fieldName = (field: string): string => fieldNames[field] ?? field;
