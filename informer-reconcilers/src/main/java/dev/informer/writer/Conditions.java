/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import dev.informer.client.TimeSource;
import dev.informer.support.Arguments;
import io.kubernetes.client.openapi.models.V1Condition;
import org.jspecify.annotations.Nullable;

/**
 * Conditions in the status of an object, at most one of each type.
 *
 * @see <a href=
 * "https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties">API
 * conventions</a>
 */
public final class Conditions {

	private static final String LIST = "Set a modifiable list in the status before.";

	private static final String TRUE = "True";

	private static final Set<String> STATUSES = Set.of(TRUE, "False", "Unknown");

	private static final int MAX_TYPE = 316;

	private static final int MAX_REASON = 1024;

	private static final int MAX_MESSAGE = 32_768;

	private static final Pattern TYPE = Pattern.compile("([a-z0-9]([-a-z0-9]*[a-z0-9])?"
			+ "(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])");

	private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?");

	private Conditions() {
	}

	/**
	 * Add a condition, or replace the one of its type. The time of the last transition
	 * changes only with the status; it is then that of the condition, or the current
	 * time. Neither the condition nor one in the list is modified.
	 * @param conditions the modifiable list of a private copy of the object
	 * @param condition the condition, with type, status and reason. Its observed
	 * generation is {@code metadata.generation} of the object that it was made from
	 * @return whether the list has changed
	 * @throws IllegalArgumentException if the API server would refuse the condition: its
	 * status is none of {@code True}, {@code False} and {@code Unknown}, its type or its
	 * reason is not a name such as {@code Ready} or {@code MinimumReplicasAvailable}, its
	 * message is longer than 32,768 characters, or its observed generation is negative
	 */
	public static boolean set(List<V1Condition> conditions, V1Condition condition) {
		return set(conditions, condition, TimeSource.SYSTEM);
	}

	static boolean set(List<V1Condition> conditions, V1Condition condition, TimeSource time) {
		Arguments.require("set a condition", "conditions", conditions, LIST);
		Arguments.require("set a condition", "condition", condition);
		validate(condition);
		int index = indexOf("set", conditions, condition.getType());
		V1Condition before = (index >= 0) ? conditions.get(index) : null;
		OffsetDateTime since = condition.getLastTransitionTime();
		if (before != null && condition.getStatus().equals(before.getStatus())
				&& before.getLastTransitionTime() != null) {
			since = before.getLastTransitionTime();
		}
		V1Condition after = new V1Condition().type(condition.getType())
			.status(condition.getStatus())
			.reason(condition.getReason())
			.message(Objects.requireNonNullElse(condition.getMessage(), ""))
			.observedGeneration(condition.getObservedGeneration())
			.lastTransitionTime((since != null) ? since : now(time));
		change("set", () -> {
			if (before == null) {
				conditions.add(after);
			}
			else {
				conditions.set(index, after);
			}
		});
		return !after.equals(before);
	}

	/**
	 * Return the current time in the resolution of the API.
	 */
	private static OffsetDateTime now(TimeSource time) {
		return time.now().truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC);
	}

	/**
	 * Find a condition.
	 * @param conditions the conditions; {@code null} for none
	 * @param type the type of the condition
	 * @return the condition; empty if there is none
	 */
	public static Optional<V1Condition> find(@Nullable List<V1Condition> conditions, String type) {
		Arguments.require("find a condition", "type", type);
		if (conditions == null) {
			return Optional.empty();
		}
		int index = indexOf("find", conditions, type);
		return (index >= 0) ? Optional.of(conditions.get(index)) : Optional.empty();
	}

	/**
	 * Return whether a condition is true.
	 * @param conditions the conditions; {@code null} for none
	 * @param type the type of the condition
	 * @return whether it exists with status {@code True}
	 */
	public static boolean isTrue(@Nullable List<V1Condition> conditions, String type) {
		return find(conditions, type).filter((condition) -> TRUE.equals(condition.getStatus())).isPresent();
	}

	/**
	 * Remove a condition.
	 * @param conditions the modifiable list of a private copy of the object
	 * @param type the type of the condition
	 * @return whether it existed
	 */
	public static boolean remove(List<V1Condition> conditions, String type) {
		Arguments.require("remove a condition", "conditions", conditions, LIST);
		Arguments.require("remove a condition", "type", type);
		int index = indexOf("remove", conditions, type);
		if (index >= 0) {
			change("remove", () -> conditions.removeIf((condition) -> type.equals(condition.getType())));
		}
		return index >= 0;
	}

	private static int indexOf(String action, List<V1Condition> conditions, String type) {
		for (int i = 0; i < conditions.size(); i++) {
			Arguments.require(action + " a condition", "conditions[" + i + "]", conditions.get(i), "Remove it.");
			if (type.equals(conditions.get(i).getType())) {
				return i;
			}
		}
		return -1;
	}

	private static void change(String action, Runnable change) {
		try {
			change.run();
		}
		catch (UnsupportedOperationException ex) {
			throw new IllegalArgumentException(
					"Cannot " + action + " a condition: the argument 'conditions' is unmodifiable. " + LIST, ex);
		}
	}

	private static void validate(V1Condition condition) {
		require(matches(TYPE, condition.getType(), MAX_TYPE), "type",
				"a name of at most 316 characters, such as Ready or example.com/Ready");
		require(condition.getStatus() != null && STATUSES.contains(condition.getStatus()), "status",
				"True, False or Unknown");
		require(matches(REASON, condition.getReason(), MAX_REASON), "reason",
				"a name of at most 1024 letters, digits, '_', ',' and ':' that begins with a letter, "
						+ "such as MinimumReplicasAvailable");
		String message = Objects.requireNonNullElse(condition.getMessage(), "");
		require(message.codePointCount(0, message.length()) <= MAX_MESSAGE, "message", "at most 32768 characters");
		Long generation = condition.getObservedGeneration();
		require(generation == null || generation >= 0, "observedGeneration", "metadata.generation of the object");
	}

	private static boolean matches(Pattern pattern, @Nullable String text, int maxLength) {
		return text != null && text.length() <= maxLength && pattern.matcher(text).matches();
	}

	private static void require(boolean valid, String property, String use) {
		if (!valid) {
			throw new IllegalArgumentException(
					"Cannot set a condition: its " + property + " is missing or invalid. Use " + use + ".");
		}
	}

}
