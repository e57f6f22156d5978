// A QR code in the terminal: half blocks, two modules a row, with the light border that scanners need. Colours are set, so
// that it is dark on light in every terminal; without colours it is drawn for a dark one.
import { encode } from 'uqr';

const quietZone = 2;
const blackOnWhite = '\u001b[30;107m';
const reset = '\u001b[0m';

export function qrLines(text: string, hasColour: boolean): string[] {
  const { data } = encode(text, { ecc: 'L', border: quietZone });
  const lines: string[] = [];
  for (let row = 0; row < data.length; row += 2) {
    const upper = data[row] ?? [];
    const line = upper.map((isDark, column) => halfBlock(isDark, data[row + 1]?.[column] ?? false, hasColour)).join('');
    lines.push(hasColour ? `${blackOnWhite}${line}${reset}` : line);
  }
  return lines;
}

/** With colours the ink is dark, without it is the terminal's light text. */
function halfBlock(isUpperDark: boolean, isLowerDark: boolean, hasColour: boolean): string {
  const [upper, lower] = hasColour ? [isUpperDark, isLowerDark] : [!isUpperDark, !isLowerDark];
  if (upper) return lower ? '█' : '▀';
  return lower ? '▄' : ' ';
}
