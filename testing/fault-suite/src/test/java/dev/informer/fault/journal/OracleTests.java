/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import dev.informer.fault.journal.Entry.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests with a correct journal, and with the same journal after one mutation each.
 */
class OracleTests {

	private static final String HANDLER = "handler";

	private static final String KEY = "fault/object";

	private final List<Entry> entries = new ArrayList<>();

	private ObjectStates server = new ObjectStates();

	private ObjectStates cache = new ObjectStates();

	@TempDir
	private Path folder;

	@BeforeEach
	void createCorrectJournal() {
		this.entries.add(entry(Type.ADDED, "uid-1@5", null));
		this.entries.add(entry(Type.UPDATED, "uid-1@7", "uid-1@5"));
		this.entries.add(entry(Type.UPDATED, "uid-1@10", "uid-1@7"));
		this.entries.add(entry(Type.DELETED, "uid-1@11", "uid-1@10"));
		this.entries.add(entry(Type.ADDED, "uid-2@12", null));
		this.server = ObjectStates.parse("CONFIG_MAPS " + KEY + " uid-2@12");
		this.cache = ObjectStates.parse("CONFIG_MAPS " + KEY + " uid-2@12");
	}

	@Test
	void correctJournal_hasNoViolation() throws IOException {
		assertThat(violations()).isEmpty();
	}

	@Test
	void eventTwice_isViolation() throws IOException {
		this.entries.add(2, this.entries.get(1));
		assertViolations("previous is not the last delivered state", "delivered twice");
	}

	@Test
	void updatesExchanged_isViolation() throws IOException {
		this.entries.add(1, this.entries.remove(2));
		assertViolations("previous is not the last delivered state", "previous is not the last delivered state",
				"delivered out of order", "previous is not the last delivered state");
	}

	@Test
	void updateOfEarlierVersion_isViolation() throws IOException {
		this.entries.set(2, entry(Type.UPDATED, "uid-1@6", "uid-1@7"));
		this.entries.set(3, entry(Type.DELETED, "uid-1@11", "uid-1@6"));
		assertViolations("delivered out of order");
	}

	@Test
	void updateLost_isViolation() throws IOException {
		this.entries.remove(1);
		assertViolations("previous is not the last delivered state");
	}

	@Test
	void addedTwice_isViolation() throws IOException {
		this.entries.add(this.entries.get(4));
		assertViolations("added over another object", "added twice");
	}

	@Test
	void addLost_isViolation() throws IOException {
		this.entries.remove(0);
		assertViolations("updated without having been added");
	}

	@Test
	void deleteLost_isViolation() throws IOException {
		this.entries.remove(3);
		assertViolations("added over another object");
	}

	@Test
	void deletedTwice_isViolation() throws IOException {
		this.entries.add(4, this.entries.get(3));
		assertViolations("deleted twice");
	}

	@Test
	void deleteOfUnknownObject_isViolation() throws IOException {
		this.entries.add(0, entry(Type.DELETED, "uid-0@1", "uid-0@1"));
		assertViolations("deleted without having been added");
	}

	@Test
	void updateAcrossUids_isViolation() throws IOException {
		this.entries.remove(4);
		this.entries.set(3, entry(Type.UPDATED, "uid-2@12", "uid-1@10"));
		assertViolations("updated across UIDs");
	}

	@Test
	void deletedUidComesBack_isViolation() throws IOException {
		this.entries.set(4, entry(Type.ADDED, "uid-1@12", null));
		assertThat(violations()).extracting(Violation::kind).contains("added twice");
	}

	@Test
	void lastEventLost_handlerDiffersFromServer() throws IOException {
		this.entries.remove(4);
		assertViolations("handler differs");
	}

	@Test
	void staleCache_differsFromServer() throws IOException {
		this.cache = ObjectStates.parse("CONFIG_MAPS " + KEY + " uid-1@10");
		assertViolations("cache differs");
	}

	@Test
	void extraObjectInCache_differsFromServer() throws IOException {
		this.cache = ObjectStates.parse(this.cache.toText() + "CONFIG_MAPS fault/other uid-3@9");
		assertViolations("cache differs");
	}

	@Test
	void emptyCache_differsFromServer() throws IOException {
		this.cache = new ObjectStates();
		assertViolations("cache differs");
	}

	@Test
	void rollback_allowsOlderVersionsAndReturnOfDeletedObjects() throws IOException {
		this.entries.remove(4);
		this.entries.add(entry(Type.ADDED, "uid-1@7", null));
		this.entries.add(entry(Type.UPDATED, "uid-1@6", "uid-1@7"));
		this.server = ObjectStates.parse("CONFIG_MAPS " + KEY + " uid-1@6");
		this.cache = this.server;
		assertThat(violations(Oracle::allowRollback)).isEmpty();
	}

	@Test
	void rollback_doesNotAllowRepeatedEvents() throws IOException {
		this.entries.add(this.entries.get(4));
		assertThat(violations(Oracle::allowRollback)).isNotEmpty();
	}

	private void assertViolations(String... violations) throws IOException {
		assertThat(violations()).extracting(Violation::kind).containsExactly(violations);
	}

	private List<Violation> violations() throws IOException {
		return violations((oracle) -> {
		});
	}

	private List<Violation> violations(Consumer<Oracle> settings) throws IOException {
		Path journal = this.folder.resolve("journal.txt");
		JournalWriter writer = new JournalWriter(journal);
		this.entries.forEach((entry) -> writer.write(entry.toLine()));
		try (Oracle oracle = new Oracle(journal, Map.of(WatchedResource.CONFIG_MAPS, Set.of(HANDLER)))) {
			settings.accept(oracle);
			oracle.replay();
			List<Violation> violations = new ArrayList<>(oracle.takeViolations());
			violations.addAll(oracle.differences(this.server, this.cache));
			return violations;
		}
	}

	private static Entry entry(Type type, String state, @Nullable String previous) {
		return new Entry(HANDLER, type, KEY, ObjectState.parse(state),
				(previous != null) ? ObjectState.parse(previous) : null);
	}

}
