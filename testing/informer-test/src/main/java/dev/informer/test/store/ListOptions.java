/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.informer.test.ResourceDefinition;
import dev.informer.test.store.StatusErrors.FieldError;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of a list or watch, validated like on the real server.
 *
 * @param resourceVersion the requested version, empty if not set
 * @param match the {@code resourceVersionMatch}, empty if not set
 * @param limit the page size, 0 for everything
 * @param continueToken the token of the previous page, empty for the first page
 * @param selector the selector of objects
 * @param filtered whether a label or field selector is set
 * @param bookmarks whether a watch requests bookmarks
 * @param initialEvents whether a watch requests initial events; {@code null} if not set
 * @param timeoutSeconds the duration of a watch, 0 if not set
 */
public record ListOptions(String resourceVersion, String match, long limit, String continueToken, Selector selector,
		boolean filtered, boolean bookmarks, @Nullable Boolean initialEvents, long timeoutSeconds) {

	private static final String MATCH = "resourceVersionMatch";

	private static final String EXACT = "Exact";

	private static final String NOT_OLDER_THAN = "NotOlderThan";

	public static ListOptions of(Map<String, String> query, ResourceDefinition definition) {
		String labels = query.getOrDefault("labelSelector", "");
		String fields = query.getOrDefault("fieldSelector", "");
		String initialEvents = query.get("sendInitialEvents");
		return new ListOptions(query.getOrDefault("resourceVersion", ""),
				query.getOrDefault("resourceVersionMatch", ""), number(query, "limit"),
				query.getOrDefault("continue", ""),
				LabelSelector.parse(labels).and(FieldSelector.parse(fields, definition)),
				!labels.isEmpty() || !fields.isEmpty(), flag(query.get("allowWatchBookmarks")),
				(initialEvents != null) ? flag(initialEvents) : null, number(query, "timeoutSeconds"));
	}

	public static boolean flag(@Nullable String value) {
		return value != null && !value.equals("0") && !value.equalsIgnoreCase("false");
	}

	private static long number(Map<String, String> query, String name) {
		String value = query.getOrDefault(name, "");
		try {
			return value.isEmpty() ? 0 : Math.max(0, Long.parseLong(value));
		}
		catch (NumberFormatException ex) {
			throw StatusErrors
				.badRequest("strconv.ParseInt: parsing " + StatusErrors.quoted(value) + ": invalid syntax");
		}
	}

	boolean exact() {
		return this.match.equals(EXACT)
				|| (this.match.isEmpty() && this.limit > 0 && !this.resourceVersion.isEmpty() && !fromCache());
	}

	boolean fromCache() {
		return this.resourceVersion.equals("0");
	}

	void checkList() {
		List<FieldError> errors = new ArrayList<>();
		if (!this.match.isEmpty()) {
			checkMatch(errors);
		}
		if (this.initialEvents != null) {
			errors.add(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
		}
		throwIfAny(errors);
	}

	private void checkMatch(List<FieldError> errors) {
		if (this.resourceVersion.isEmpty()) {
			errors.add(forbidden(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
		}
		checkContinue(errors);
		if (!this.match.equals(EXACT) && !this.match.equals(NOT_OLDER_THAN)) {
			errors.add(unsupportedMatch("\"Exact\", \"NotOlderThan\", \"\""));
		}
		if (this.match.equals(EXACT) && fromCache()) {
			errors.add(forbidden(MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
		}
	}

	private void checkContinue(List<FieldError> errors) {
		if (!this.continueToken.isEmpty()) {
			errors.add(forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
		}
	}

	public void checkWatch(boolean streamingLists) {
		List<FieldError> errors = new ArrayList<>();
		if (this.initialEvents != null) {
			checkInitialEvents(streamingLists, errors);
		}
		else if (!this.match.isEmpty()) {
			errors.add(forbidden(MATCH,
					"resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
		}
		if (streamingLists) {
			checkContinue(errors);
		}
		throwIfAny(errors);
	}

	private void checkInitialEvents(boolean streamingLists, List<FieldError> errors) {
		if (!this.match.equals(NOT_OLDER_THAN)) {
			errors.add(forbidden(MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
		}
		if (!streamingLists) {
			errors.add(forbidden("sendInitialEvents",
					"sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"));
		}
		if (!this.match.isEmpty() && !this.match.equals(NOT_OLDER_THAN)) {
			errors.add(unsupportedMatch("\"NotOlderThan\""));
		}
	}

	private FieldError unsupportedMatch(String supported) {
		return new FieldError(MATCH, "FieldValueNotSupported",
				"Unsupported value: " + StatusErrors.quoted(this.match) + ": supported values: " + supported);
	}

	private static FieldError forbidden(String field, String message) {
		return new FieldError(field, "FieldValueForbidden", "Forbidden: " + message);
	}

	private static void throwIfAny(List<FieldError> errors) {
		if (!errors.isEmpty()) {
			throw StatusErrors.invalid("meta.k8s.io", "ListOptions", "", errors);
		}
	}

	/**
	 * Parse a resource version.
	 */
	public static long parseVersion(String resourceVersion) {
		if (!resourceVersion.matches("[0-9]{1,18}")) {
			throw new NumberFormatException("resourceVersion: Invalid value: " + StatusErrors.quoted(resourceVersion)
					+ ": strconv.ParseUint: parsing " + StatusErrors.quoted(resourceVersion) + ": invalid syntax");
		}
		return Long.parseLong(resourceVersion);
	}

}
