/** Maximum of PostgreSQL's type `integer`. No id and no revision is higher (D4). */
export const maxInteger = 2_147_483_647;
