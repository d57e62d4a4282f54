/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import dev.informer.InformerFactory;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.kubernetes.client.openapi.ApiClient;

/**
 * Main class of a controller. It answers each line of its input with one line: calls,
 * writes, processor time in seconds, and, if the line is {@code live}, the live heap in
 * megabytes. It ends with its input.
 */
public final class ControllerProcess {

	private ControllerProcess() {
	}

	/**
	 * Run a controller.
	 * @param arguments see {@link ClientSettings#of}; the client is {@code informer}, or
	 * {@code fabric8} for the Java Operator SDK
	 * @throws IOException if the input cannot be read
	 */
	public static void main(String[] arguments) throws IOException {
		ClientSettings settings = ClientSettings.of(arguments);
		ControllerTally tally = new ControllerTally();
		if (settings.client() == ClientType.FABRIC8) {
			startSdk(settings, tally);
		}
		else {
			startInformer(settings, tally);
		}
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		String line = input.readLine();
		while (line != null) {
			System.out.println(String.format(Locale.ROOT, "figures %d %d %.3f %.3f", tally.calls(), tally.writes(),
					ProcessFigures.cpuSeconds(), line.equals("live") ? ProcessFigures.liveMegabytes() : 0));
			line = input.readLine();
		}
		System.exit(0);
	}

	private static void startInformer(ClientSettings settings, ControllerTally tally) {
		ApiClient apiClient = new Connections(settings).official();
		apiClient.setHttpClient(apiClient.getHttpClient().newBuilder().addInterceptor((chain) -> {
			tally.request(chain.request().method());
			return chain.proceed(chain.request());
		}).build());
		WidgetReconciler.start(InformerFactory.create(apiClient), tally);
	}

	private static void startSdk(ClientSettings settings, ControllerTally tally) {
		SdkWidgetReconciler.start(new KubernetesClientBuilder().withConfig(new Connections(settings).fabric8())
			.withHttpClientBuilderConsumer((http) -> http.addOrReplaceInterceptor("tally", new Interceptor() {

				@Override
				public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
					tally.request(request.method());
				}

			}))
			.build(), tally);
	}

}
