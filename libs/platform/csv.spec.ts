import { csvLine } from './csv.js';

test.each([
  [['pay_1', '12', '-12', '-12.50', ''], 'pay_1,12,-12,-12.50,\r\n'],
  [['=1+1', '+1', '@x', '-1+HYPERLINK("x")'], `'=1+1,'+1,'@x,"'-1+HYPERLINK(""x"")"\r\n`],
  [['x;=1+1', 'a;-12', 'b|@c'], `x;'=1+1,a;'-12,b|'@c\r\n`],
  [['x\n=1+1', 'a\r\n@c'], `"x\n'=1+1","a\r\n'@c"\r\n`],
  [['a,b', 'a"b', 'a\nb'], '"a,b","a""b","a\nb"\r\n'],
])('a CSV line with the cells %j is written as %j', (texts, line) => {
  expect(csvLine(texts)).toBe(line);
});
