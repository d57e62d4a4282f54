/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import dev.informer.test.KubernetesStatusException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Continue token: start of the next page of a list.
 *
 * @param resourceVersion the version of all pages; -1 for the latest
 * @param after the path of the last object of the previous page
 */
record ContinueToken(long resourceVersion, String after) {

	private static final String VERSION = "meta.k8s.io/v1";

	String encode() {
		byte[] json = Json.bytes(Json.object()
			.put("v", VERSION)
			.put("rv", this.resourceVersion)
			.put("start", "/" + this.after + "\u0000"));
		return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
	}

	static ContinueToken decode(String token) {
		JsonNode json = parse(decodeBase64(token));
		String version = Json.text(json, "v");
		String start = Json.text(json, "start");
		if (!VERSION.equals(version)) {
			throw invalid("server does not recognize this encoded version " + version);
		}
		if (!start.startsWith("/") || !start.endsWith("\u0000")) {
			throw invalid("continue key is not valid: " + start);
		}
		return new ContinueToken(json.path("rv").asLong(0), start.substring(1, start.length() - 1));
	}

	private static String decodeBase64(String token) {
		try {
			return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			throw invalid("illegal base64 data at input byte 0");
		}
	}

	private static JsonNode parse(String json) {
		try {
			return Json.MAPPER.readTree(json);
		}
		catch (JacksonException ex) {
			throw invalid(json.isEmpty() ? "unexpected end of JSON input"
					: "invalid character '" + json.charAt(0) + "' looking for beginning of value");
		}
	}

	private static KubernetesStatusException invalid(String why) {
		return StatusErrors.badRequest("invalid continue token: continue key is not valid: " + why);
	}

}
