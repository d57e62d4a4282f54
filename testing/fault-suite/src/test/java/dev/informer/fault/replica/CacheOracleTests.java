/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.replica;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.informer.fault.journal.ObjectState;
import dev.informer.fault.journal.ObjectStates;
import dev.informer.fault.journal.Violation;
import dev.informer.fault.journal.WatchedResource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CacheOracle}.
 */
class CacheOracleTests {

	private static final String SERVER = "one u1@5,two u2@6,three u3@7";

	@Test
	void cachesThatDivideTheObjects_haveNoViolation() {
		assertThat(kinds("one u1@5,three u3@7", "two u2@6", "")).isEmpty();
		assertThat(kinds(SERVER)).isEmpty();
	}

	@Test
	void objectInNoCache_isViolation() {
		assertThat(kinds("one u1@5", "two u2@6")).containsExactly("object in no cache");
		assertThat(kinds()).containsExactly("object in no cache");
	}

	@Test
	void objectInTwoCaches_isViolation() {
		assertThat(kinds("one u1@5,three u3@7", "two u2@6,one u1@5")).containsExactly("object in several caches");
		assertThat(kinds("one u1@5,three u3@7", "two u2@6,one u1@4")).containsExactly("object in several caches");
	}

	@Test
	void otherVersion_isViolation() {
		assertThat(kinds("one u1@4,three u3@7", "two u2@6")).containsExactly("object in another version in its cache");
	}

	@Test
	void formerObjectOfTheSameName_isViolation() {
		assertThat(kinds("one u0@4,three u3@7", "two u2@6")).containsExactly("object in no cache",
				"deleted object in a cache");
		assertThat(kinds("one u1@5,three u3@7", "two u2@6,one u0@4")).containsExactly("deleted object in a cache");
	}

	@Test
	void detail_namesTheFirstObjects() {
		assertThat(CacheOracle.judge(states(SERVER), List.of())).extracting(Violation::detail)
			.containsExactly("3, of 3 of the server: [fault/one u1@5, fault/three u3@7, fault/two u2@6]");
	}

	private static List<String> kinds(String... caches) {
		return CacheOracle.judge(states(SERVER), Stream.of(caches).map(CacheOracleTests::states).toList())
			.stream()
			.map(Violation::kind)
			.toList();
	}

	private static Map<String, ObjectState> states(String objects) {
		ObjectStates states = new ObjectStates();
		Stream.of(objects.split(",")).filter((object) -> !object.isEmpty()).forEach((object) -> {
			String[] parts = object.split("[ @]");
			states.add(WatchedResource.SECRETS, "fault", parts[0], parts[1], parts[2]);
		});
		return states.of(WatchedResource.SECRETS);
	}

}
