package main

import (
	"regexp"
	"unicode/utf8"
)

// readRegexp compiles the first argument and returns where it matches in each of the others: the groups' bounds of the
// first match, and the bounds of all matches, both in code points.
func readRegexp(arguments []string) any {
	compiled, err := regexp.Compile(arguments[0])
	if err != nil {
		return refused(err)
	}
	first, all := [][]int{}, [][][]int{}
	for _, text := range arguments[1:] {
		first = append(first, codePoints(text, compiled.FindStringSubmatchIndex(text)))
		found := [][]int{}
		for _, bounds := range compiled.FindAllStringIndex(text, -1) {
			found = append(found, codePoints(text, bounds))
		}
		all = append(all, found)
	}
	return answer{"names": compiled.SubexpNames()[1:], "first": first, "all": all}
}

func codePoints(text string, offsets []int) []int {
	if offsets == nil {
		return nil
	}
	places := []int{}
	for _, offset := range offsets {
		if offset >= 0 {
			offset = utf8.RuneCountInString(text[:offset])
		}
		places = append(places, offset)
	}
	return places
}
