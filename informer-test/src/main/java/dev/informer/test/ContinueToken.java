package dev.informer.test;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Where the next page of a list begins.
 *
 * @param resourceVersion the version of which all pages are; -1 for the latest
 * @param after the path of the last object of the page before
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
		JsonNode json;
		try {
			json = Json.MAPPER.readTree(new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8));
		}
		catch (IllegalArgumentException | JacksonException ex) {
			throw StatusErrors.badRequest("invalid continue token: continue key is not valid: "
					+ "invalid character looking for beginning of value");
		}
		String start = Json.text(json, "start");
		if (!VERSION.equals(Json.text(json, "v")) || !start.startsWith("/") || !start.endsWith("\u0000")) {
			throw StatusErrors.badRequest("invalid continue token: continue key is not valid: "
					+ "server does not recognize this encoded version");
		}
		return new ContinueToken(json.path("rv").asLong(0), start.substring(1, start.length() - 1));
	}

}
