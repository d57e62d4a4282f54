/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.informer.testing.FakeTime;
import io.kubernetes.client.openapi.models.V1Condition;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Conditions}.
 */
class ConditionsTests {

	private static final OffsetDateTime START = OffsetDateTime.parse("2030-01-01T00:00:00Z");

	private final FakeTime time = FakeTime.manual();

	private final List<V1Condition> conditions = new ArrayList<>();

	@Test
	void newCondition_isAddedWithTheTime() {
		this.time.advance(Duration.ofMillis(1_999));
		assertThat(set(ready("True").message(null).observedGeneration(7L))).isTrue();
		assertThat(this.conditions)
			.containsExactly(ready("True").message("").observedGeneration(7L).lastTransitionTime(START.plusSeconds(1)));
	}

	@Test
	void sameCondition_changesNothing() {
		set(ready("True"));
		this.time.advance(Duration.ofMinutes(1));
		assertThat(set(ready("True"))).isFalse();
		assertThat(set(ready("True").lastTransitionTime(START.plusYears(1)))).isFalse();
		assertThat(this.conditions).containsExactly(ready("True").lastTransitionTime(START));
	}

	@Test
	void otherStatus_changesTheTime() {
		set(ready("Unknown"));
		set(ready("True").type("Available"));
		this.time.advance(Duration.ofMinutes(1));
		assertThat(set(ready("False"))).isTrue();
		assertThat(this.conditions).containsExactly(ready("False").lastTransitionTime(START.plusMinutes(1)),
				ready("True").type("Available").lastTransitionTime(START));
		assertThat(set(ready("True").lastTransitionTime(START.plusYears(1)))).isTrue();
		assertThat(this.conditions.get(0).getLastTransitionTime()).isEqualTo(START.plusYears(1));
	}

	@Test
	void otherReasonMessageOrGeneration_keepsTheTime() {
		set(ready("True"));
		this.time.advance(Duration.ofMinutes(1));
		for (V1Condition condition : List.of(ready("True").reason("Other"), ready("True").message("other"),
				ready("True").observedGeneration(2L))) {
			assertThat(set(condition)).isTrue();
			assertThat(set(condition)).isFalse();
			assertThat(this.conditions).containsExactly(condition.lastTransitionTime(START));
		}
	}

	@Test
	void conditionWithoutTime_getsOne() {
		this.conditions.add(ready("True"));
		assertThat(set(ready("True"))).isTrue();
		assertThat(this.conditions).containsExactly(ready("True").lastTransitionTime(START));
	}

	@Test
	@SuppressWarnings("NullAway")
	void nullArguments_areRefused() {
		refused(() -> Conditions.set(null, ready("True")), "Cannot set a condition: the argument 'conditions' is null. "
				+ "Set a modifiable list in the status before.");
		refused(() -> Conditions.set(this.conditions, null),
				"Cannot set a condition: the argument 'condition' is null. Pass it.");
		refused(() -> Conditions.find(this.conditions, null),
				"Cannot find a condition: the argument 'type' is null. Pass it.");
		refused(() -> Conditions.isTrue(null, null), "Cannot find a condition: the argument 'type' is null. Pass it.");
		refused(() -> Conditions.remove(null, "Ready"), "Cannot remove a condition: the argument 'conditions' is null. "
				+ "Set a modifiable list in the status before.");
		refused(() -> Conditions.remove(this.conditions, null),
				"Cannot remove a condition: the argument 'type' is null. Pass it.");
	}

	@Test
	void listThatCannotBeChanged_isRefused() {
		refused(() -> Conditions.set(List.of(), ready("True")),
				"Cannot set a condition: the argument 'conditions' is unmodifiable. "
						+ "Set a modifiable list in the status before.");
		refused(() -> Conditions.set(List.of(ready("False")), ready("True")),
				"Cannot set a condition: the argument 'conditions' is unmodifiable. "
						+ "Set a modifiable list in the status before.");
		refused(() -> Conditions.remove(List.of(ready("True")), "Ready"),
				"Cannot remove a condition: the argument 'conditions' is unmodifiable. "
						+ "Set a modifiable list in the status before.");
		assertThat(Conditions.remove(List.of(), "Ready")).isFalse();
		assertThat(Conditions.set(Arrays.asList(ready("False")), ready("True"))).isTrue();
	}

	@Test
	@SuppressWarnings("NullAway")
	void listWithNull_isRefused() {
		this.conditions.add(null);
		refused(() -> Conditions.set(this.conditions, ready("True")),
				"Cannot set a condition: the argument 'conditions[0]' is null. Remove it.");
		refused(() -> Conditions.find(this.conditions, "Ready"),
				"Cannot find a condition: the argument 'conditions[0]' is null. Remove it.");
		refused(() -> Conditions.remove(this.conditions, "Ready"),
				"Cannot remove a condition: the argument 'conditions[0]' is null. Remove it.");
	}

	private static void refused(ThrowingCallable call, String message) {
		assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
	}

	@Test
	void conditions_areNotModified() {
		V1Condition before = ready("True").lastTransitionTime(START);
		this.conditions.add(before);
		V1Condition argument = ready("False");
		set(argument);
		assertThat(before).isEqualTo(ready("True").lastTransitionTime(START));
		assertThat(argument).isEqualTo(ready("False"));
		argument.setReason("Later");
		assertThat(this.conditions.get(0).getReason()).isEqualTo("MinimumReplicasAvailable");
	}

	@Test
	void findIsTrueAndRemove_goByType() {
		assertThat(Conditions.find(null, "Ready")).isEmpty();
		assertThat(Conditions.isTrue(null, "Ready")).isFalse();
		set(ready("True"));
		set(ready("False").type("Available"));
		assertThat(Conditions.find(this.conditions, "Ready")).contains(this.conditions.get(0));
		assertThat(Conditions.find(this.conditions, "Other")).isEmpty();
		assertThat(Conditions.isTrue(this.conditions, "Ready")).isTrue();
		assertThat(Conditions.isTrue(this.conditions, "Available")).isFalse();
		assertThat(Conditions.isTrue(this.conditions, "Other")).isFalse();
		assertThat(Conditions.remove(this.conditions, "Ready")).isTrue();
		assertThat(Conditions.remove(this.conditions, "Ready")).isFalse();
		assertThat(this.conditions).extracting(V1Condition::getType).containsExactly("Available");
	}

	@ParameterizedTest
	@CsvSource({ "Ready", "example.com/Ready", "a", "a-b_c.D9" })
	void validType_isSet(String type) {
		assertThat(set(ready("True").type(type))).isTrue();
	}

	@ParameterizedTest
	@NullAndEmptySource
	@ValueSource(strings = { "is ready", "-Ready", "Example/Ready", "example.com/", "/Ready" })
	void invalidType_isRefused(@Nullable String type) {
		assertRefused(ready("True").type(type), "type");
	}

	@ParameterizedTest
	@NullAndEmptySource
	@ValueSource(strings = { "true", "Yes" })
	void invalidStatus_isRefused(@Nullable String status) {
		assertRefused(ready("True").status(status), "status");
	}

	@ParameterizedTest
	@ValueSource(strings = { "A", "AsExpected", "Reason_1,b:c_", "a1" })
	void validReason_isSet(String reason) {
		assertThat(set(ready("True").reason(reason))).isTrue();
	}

	@ParameterizedTest
	@NullAndEmptySource
	@ValueSource(strings = { "no space", "1st", "_a", "a:", "a,", "a-b", "a\n" })
	void invalidReason_isRefused(@Nullable String reason) {
		assertRefused(ready("True").reason(reason), "reason");
	}

	@Test
	void longTexts_areRefused() {
		assertThat(set(
				ready("True").type("T".repeat(316)).reason("r".repeat(1_024)).message("\ud83d\ude00".repeat(32_768))))
			.isTrue();
		assertRefused(ready("True").type("T".repeat(317)), "type");
		assertRefused(ready("True").reason("r".repeat(1_025)), "reason");
		assertRefused(ready("True").message("m".repeat(32_769)), "message");
	}

	@Test
	void negativeGeneration_isRefused() {
		assertThat(set(ready("True").observedGeneration(0L))).isTrue();
		assertRefused(ready("True").observedGeneration(-1L), "observedGeneration");
	}

	private void assertRefused(V1Condition condition, String property) {
		List<V1Condition> before = List.copyOf(this.conditions);
		assertThatIllegalArgumentException().isThrownBy(() -> set(condition))
			.withMessageStartingWith("Cannot set a condition: its " + property + " is missing or invalid. Use ");
		assertThat(this.conditions).isEqualTo(before);
	}

	private boolean set(V1Condition condition) {
		return Conditions.set(this.conditions, condition, this.time);
	}

	private static V1Condition ready(String status) {
		return new V1Condition().type("Ready").status(status).reason("MinimumReplicasAvailable").message("3 of 3");
	}

}
