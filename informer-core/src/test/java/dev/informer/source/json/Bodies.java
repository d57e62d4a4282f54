package dev.informer.source.json;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Bodies of responses, as they may arrive.
 */
final class Bodies {

	private Bodies() {
	}

	static InputStream whole(String text) {
		return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Arrives byte by byte.
	 */
	static InputStream trickling(String text) {
		return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {

			@Override
			public synchronized int read(byte[] buffer, int offset, int length) {
				return super.read(buffer, offset, Math.min(length, 1));
			}

		};
	}

	/**
	 * Writes whatever is not ASCII as an escape.
	 */
	static String escaped(String json) {
		StringBuilder escaped = new StringBuilder();
		for (char c : json.toCharArray()) {
			escaped.append((c < 128) ? String.valueOf(c) : String.format("\\u%04x", (int) c));
		}
		return escaped.toString();
	}

	static String list(String kind, String... items) {
		return "{\"kind\":\"" + kind
				+ "List\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":["
				+ String.join(",", items) + "]}";
	}

}
