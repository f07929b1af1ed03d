/** English names of the fields in imports and the audit log; other fields are shown with their name in the interface. */
const fieldNames: Record<string, string> = {
  closes_at: 'Closes',
  description: 'Description',
  email: 'Email',
  first_name: 'First name',
  is_approved: 'Approved',
  is_blocked: 'Blocked',
  is_verified: 'Email is verified',
  is_verified_mobile: 'Mobile number is verified',
  last_name: 'Last name',
  mobile: 'Mobile number',
  opens_at: 'Opens',
  role: 'Role',
  title: 'Title',
};

export const fieldName = (field: string): string => fieldNames[field] ?? field;
