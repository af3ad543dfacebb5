import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectLanguage, stemWords } from '#core/words/languages.ts';
import { splitWords } from '#core/words/words.ts';

describe('the language of a text', () => {
  it.each([
    ['How do I keep a package at its present version?', 'english'],
    ['Wie setze ich ein Paket auf die alte Version zurück?', 'german'],
    ['Pourquoi éviter les fichiers dans le dossier de la page ?', 'french'],
    ['¿Cómo cambio el nombre de los archivos en una carpeta?', 'spanish'],
    ['Как удалить пакет вместе с настройками?', 'russian'],
    ['Як видалити пакунок, що їй не потрібен?', 'english'],
    ['全文検索', 'english'],
    ['', 'english'],
  ])('is recognised: %j is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});

describe('the stems of a text', () => {
  it.each([
    ['german', 'Einstellungen Größen Pakete', 'Einstellung große Paket'],
    ['french', 'redémarrages configurées', 'redémarrage configurer'],
    ['russian', 'пакетами разработчиков running', 'пакета разработчик runs'],
    ['english', 'running files', 'runs file'],
  ] as const)('are the same for all forms of a word: %s', (language, some, others) => {
    expect(stemWords(some, language)).toEqual(stemWords(others, language));
  });

  it('are as many as the words, and the same every time', () => {
    const language = fc.constantFrom('german', 'french', 'russian', 'turkish', 'finnish', 'english');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), language, (text, of) => {
        const stems = stemWords(text, of);
        expect(stems).toEqual(stemWords(text, of));
        expect(stems.length).toBeLessThanOrEqual(2 * splitWords(text).length + 1);
      }),
    );
  });
});
