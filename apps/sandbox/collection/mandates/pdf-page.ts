import { PDFDocument, type PDFFont, type PDFPage, type RGB, rgb, StandardFonts } from 'pdf-lib';
import { inFontLetters } from './pdf-text.js';

export const INK = rgb(0.08, 0.09, 0.12);
export const SOFT = rgb(0.36, 0.39, 0.46);
export const ACCENT = rgb(0.23, 0.31, 0.88);
export const GOOD = rgb(0.05, 0.48, 0.3);
const LINE = rgb(0.86, 0.88, 0.91);

/** A4, in points from the bottom left. */
export const PAGE = { width: 595.28, height: 841.89, margin: 56 } as const;

export interface Style {
  readonly size: number;
  readonly isBold?: boolean;
  readonly color?: RGB;
}

/** Wraps text to lines no wider than `width`; a wider word is split. */
const linesOf = (text: string, font: PDFFont, size: number, width: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (font.widthOfTextAtSize(longer, size) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (font.widthOfTextAtSize(line, size) > width) {
      let end = line.length - 1;
      while (font.widthOfTextAtSize(line.slice(0, end), size) > width) end -= 1;
      lines.push(line.slice(0, end));
      line = line.slice(end);
    }
  }
  return line === '' ? lines : [...lines, line];
};

/** A page written from top to bottom. `y` is the position of the next element. */
export class PdfPage {
  y = PAGE.height - PAGE.margin;
  private readonly letters: ReadonlySet<number>;

  private constructor(
    readonly document: PDFDocument,
    private readonly page: PDFPage,
    private readonly regular: PDFFont,
    private readonly bold: PDFFont,
  ) {
    this.letters = new Set(regular.getCharacterSet());
  }

  static async begin(): Promise<PdfPage> {
    const document = await PDFDocument.create();
    const regular = await document.embedFont(StandardFonts.Helvetica);
    const bold = await document.embedFont(StandardFonts.HelveticaBold);
    return new PdfPage(document, document.addPage([PAGE.width, PAGE.height]), regular, bold);
  }

  /** Writes the text at `x` within `width`, and moves `y` below it. */
  text(
    text: string,
    { size, isBold = false, color = INK }: Style,
    x: number = PAGE.margin,
    width: number = PAGE.width - PAGE.margin - x,
  ): void {
    const font = isBold ? this.bold : this.regular;
    const known = inFontLetters(text, (letter) => this.letters.has(letter.codePointAt(0) ?? 0));
    for (const line of linesOf(known, font, size, width)) {
      this.y -= size;
      this.page.drawText(line, { x, y: this.y, size, font, color });
      this.y -= size * 0.42;
    }
  }

  rule(): void {
    this.page.drawLine({
      start: { x: PAGE.margin, y: this.y },
      end: { x: PAGE.width - PAGE.margin, y: this.y },
      thickness: 0.75,
      color: LINE,
    });
  }

  /** Draws a filled box whose top is at `y`. */
  box(x: number, width: number, height: number, color: RGB): void {
    this.page.drawRectangle({ x, y: this.y - height, width, height, color });
  }

  down(points: number): void {
    this.y -= points;
  }
}
