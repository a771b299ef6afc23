/** The first moment of a day, or of the day after, where the viewer is. */
export const momentOf = (day: string, isEnd: boolean): string => {
  const at = new Date(`${day}T00:00:00`);
  if (isEnd) at.setDate(at.getDate() + 1);
  return Number.isNaN(at.getTime()) ? day : at.toISOString();
};

/** The day after a day of a calendar, wherever the viewer is. */
export const dayAfter = (day: string): string => {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + 1);
  return Number.isNaN(at.getTime()) ? day : at.toISOString().slice(0, 10);
};
