/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.informer.test.ProtobufEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Resources of a server: pods, services, and any other requested resource, which consists
 * of small objects. Thread-safe.
 */
final class ReplayCluster {

	private static final String PODS = "/api/v1/pods";

	private static final String CONFIG_MAPS = "/api/v1/configmaps";

	private static final String CUSTOM = "/apis/bench.example.com/v1/";

	private static final String SERVICES = "/api/v1/services";

	private static final Pattern SERVICES_OF_NAMESPACE = Pattern.compile("/api/v1/namespaces/([^/]+)/services");

	private static final String METADATA_ONLY = "as=PartialObjectMetadata";

	private final Map<String, Encodings> kinds = new ConcurrentHashMap<>();

	private final Map<String, ChangeLog> histories = new ConcurrentHashMap<>();

	private volatile ReplaySettings settings = new ReplaySettings(PodMake.WEB, 0, 0, Long.MAX_VALUE, 0, 0, -1, false,
			false, 0);

	ReplaySettings settings() {
		return this.settings;
	}

	/**
	 * Restart with the initial state. Encode objects before anything is requested.
	 */
	void reset(ReplaySettings settings) {
		this.settings = settings;
		this.histories.clear();
		if (settings.encoded() < 0) {
			return;
		}
		prepare(PODS, settings.metadataOnly() ? METADATA_ONLY : "", settings.encoded());
		prepare(SERVICES, "", 0);
		for (int namespace = 0; namespace < settings.namespaces(); namespace++) {
			prepare("/api/v1/namespaces/" + ReplayServer.NAMESPACE + namespace + "/services", "", 0);
		}
	}

	private void prepare(String path, String representation, long events) {
		ChangeLog history = history(path);
		if (history.objects() > 0
				&& kind(path, ProtobufKind.MEDIA_TYPE + ";" + representation) instanceof ProtobufKind kind) {
			kind.prepare(history, events);
		}
	}

	/**
	 * Return the changes of a resource.
	 * @param path its path
	 */
	ChangeLog history(String path) {
		ReplaySettings settings = this.settings;
		return this.histories.computeIfAbsent(path, (absent) -> {
			if (path.equals(PODS)) {
				return new ChangeLog(settings.pods(), Long.MAX_VALUE);
			}
			return path.endsWith("/services") ? new ChangeLog(settings.services(), Long.MAX_VALUE)
					: new ChangeLog(settings.small(), settings.updates());
		});
	}

	/**
	 * Return the representation of the objects of a resource. Like the API server, prefer
	 * the encoding that the client names first.
	 * @param path the path of the resource
	 * @param accept the accepted media types
	 * @return the representation; {@code null} for an unknown resource
	 */
	@Nullable ReplayedKind kind(String path, String accept) {
		boolean metadataOnly = path.equals(PODS) && accept.contains(METADATA_ONLY);
		PodMake make = this.settings.make();
		Encodings kind = this.kinds.computeIfAbsent(path + " " + make + (metadataOnly ? METADATA_ONLY : ""),
				(absent) -> Encodings.of(path, make, metadataOnly));
		ProtobufKind protobuf = kind.protobuf();
		return (protobuf != null && accept.startsWith(ProtobufKind.MEDIA_TYPE)) ? protobuf : kind.json();
	}

	/**
	 * Representations of the same objects.
	 *
	 * @param json the one in JSON; {@code null} for an unknown resource
	 * @param protobuf the one in protobuf; {@code null} for a custom resource
	 */
	private record Encodings(@Nullable JsonKind json, @Nullable ProtobufKind protobuf) {

		static Encodings of(String path, PodMake make, boolean metadataOnly) {
			JsonKind json = json(path, make, metadataOnly);
			if (json == null || !ProtobufEncoder.get().encodes(json.apiVersion(), json.kind())) {
				return new Encodings(json, null);
			}
			return new Encodings(json, new ProtobufKind(json));
		}

		private static @Nullable JsonKind json(String path, PodMake make, boolean metadataOnly) {
			Matcher services = SERVICES_OF_NAMESPACE.matcher(path);
			if (services.matches()) {
				return JsonKind.services(services.group(1));
			}
			return switch (path) {
				case PODS -> metadataOnly ? JsonKind.podMetadata(make) : JsonKind.pods(make);
				case CONFIG_MAPS -> JsonKind.small("v1", "ConfigMap");
				case SERVICES -> JsonKind.services(null);
				default -> path.startsWith(CUSTOM) ? JsonKind.small("bench.example.com/v1", "Thing") : null;
			};
		}

	}

}
