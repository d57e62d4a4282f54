/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.journal;

import org.assertj.core.api.AbstractBooleanAssert;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ObjectStatesTests {

	private static final String OTHER = "PODS fault/other other@3\n";

	@Test
	void sameObjects_agree() {
		assertAgrees("PODS fault/one one@5", "PODS fault/one one@5", "PODS fault/one one@5").isTrue();
	}

	@Test
	void olderVersion_disagrees() {
		assertAgrees("PODS fault/one one@4", "PODS fault/one one@5", "PODS fault/one one@5").isFalse();
	}

	@Test
	void missingObject_disagrees() {
		assertAgrees("", "PODS fault/one one@5", "PODS fault/one one@5").isFalse();
	}

	@Test
	void objectThatTheServerDoesNotHave_disagrees() {
		assertAgrees(OTHER + "PODS fault/one one@2", OTHER, OTHER).isFalse();
	}

	@Test
	void objectOfAnotherResource_disagrees() {
		assertAgrees("CONFIG_MAPS fault/one one@5", "PODS fault/one one@5", "PODS fault/one one@5").isFalse();
	}

	@Test
	void objectThatChangesBetweenTheLists_agreesInEitherState() {
		assertAgrees("PODS fault/one one@4", "PODS fault/one one@4", "PODS fault/one one@6").isTrue();
		assertAgrees("PODS fault/one one@5", "PODS fault/one one@4", "PODS fault/one one@6").isTrue();
		assertAgrees("", "PODS fault/one one@4", "").isTrue();
	}

	@Test
	void objectCreatedAndDeletedBetweenTheLists_agrees() {
		assertAgrees(OTHER + "PODS fault/one one@9", OTHER, OTHER).isTrue();
	}

	@Test
	void text_isParsed() {
		ObjectStates states = ObjectStates.parse(OTHER);
		assertThat(ObjectStates.parse(states.toText())).isEqualTo(states);
		assertThat(states.of(WatchedResource.PODS)).containsEntry("fault/other", new ObjectState("other", "3"));
	}

	private static AbstractBooleanAssert<?> assertAgrees(String cache, String before, String after) {
		return assertThat(ObjectStates.parse(cache).agreesWith(ObjectStates.parse(before), ObjectStates.parse(after)));
	}

}
