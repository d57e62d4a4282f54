package dev.informer.source.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedValues} and {@link Usefulness}.
 */
class SharedValuesTests {

	private final SharedValues<String> values = new SharedValues<>(16, (text) -> text);

	@Test
	void sameText_isSameValue() {
		Usefulness usefulness = new Usefulness();
		List<String> read = read(usefulness, "\"grün 東京\"", "\"gr\\u00fcn \\u6771\\u4eac\"", "\"\"", "\"\"", "17",
				"\"17\"", "true", "\"true\"");
		assertThat(read).containsExactly("grün 東京", "grün 東京", "", "", "17", "17", "true", "true");
		for (int i = 0; i < read.size(); i += 2) {
			assertThat(read.get(i)).isSameAs(read.get(i + 1));
		}
	}

	@Test
	void longText_isNotKept() {
		String text = "\"" + "x".repeat(257) + "\"";
		List<String> read = read(new Usefulness(), text, text);
		assertThat(read.get(0)).isEqualTo(read.get(1)).isNotSameAs(read.get(1));
	}

	@Test
	void manyTexts_replaceEachOther() {
		String[] texts = IntStream.range(0, 1000).mapToObj((i) -> "\"text-" + i + "\"").toArray(String[]::new);
		List<String> read = read(new Usefulness(), texts);
		assertThat(read).hasSize(1000).first().isEqualTo("text-0");
		assertThat(read).doesNotHaveDuplicates().last().isEqualTo("text-999");
		assertThat(read(new Usefulness(), "\"text-999\"")).first().isSameAs(read.get(999));
	}

	@Test
	void textsThatNeverRepeat_areLookedUpNowAndThen() {
		Usefulness usefulness = new Usefulness();
		read(usefulness, IntStream.range(0, 100).mapToObj((i) -> "\"text-" + i + "\"").toArray(String[]::new));
		assertThat(IntStream.range(0, 80).filter((i) -> usefulness.isExpected()).count()).isEqualTo(10);
	}

	@Test
	void textsThatBeginToRepeat_areSharedAgain() {
		Usefulness usefulness = new Usefulness();
		read(usefulness, IntStream.range(0, 100).mapToObj((i) -> "\"text-" + i + "\"").toArray(String[]::new));
		List<String> read = read(usefulness, Collections.nCopies(100, "\"same\"").toArray(String[]::new));
		Set<String> instances = Collections.newSetFromMap(new IdentityHashMap<>());
		instances.addAll(read);
		assertThat(instances).hasSizeLessThan(20);
		assertThat(usefulness.isExpected()).isTrue();
	}

	private List<String> read(Usefulness usefulness, String... texts) {
		List<String> read = new ArrayList<>();
		try (JsonParser parser = JsonInput.FACTORY.createParser(ObjectReadContext.empty(),
				"[" + String.join(",", texts) + "]")) {
			parser.nextToken();
			for (int i = 0; i < texts.length; i++) {
				parser.nextToken();
				read.add(this.values.get(parser, usefulness));
			}
		}
		return read;
	}

}
