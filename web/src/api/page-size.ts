/** About two screens: a list asks for what is in sight and for little more. */
export const pageSize = 50;
