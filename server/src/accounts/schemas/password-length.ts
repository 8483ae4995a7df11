/** How many characters a new password has, at the least and at the most. */
export const PASSWORD_LENGTH = { least: 8, most: 200 } as const;
