/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.List;
import java.util.stream.Stream;

import dev.informer.test.EmbeddedKubernetes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Starts two replicas of the application with one embedded API server and simulated
 * rollouts.
 */
public final class TwoReplicas {

	private static final Logger logger = LoggerFactory.getLogger(TwoReplicas.class);

	private TwoReplicas() {
	}

	/**
	 * Start the replicas.
	 * @param args properties of both, as {@code --name=value}
	 */
	public static void main(String[] args) {
		EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
		TestSampleApplication.startShop(kubernetes);
		for (int port : List.of(8080, 8081)) {
			start(kubernetes, port, args);
			logger.info("Started a replica. Look at http://localhost:{}/. "
					+ "This command stops it: curl -X POST localhost:{}/actuator/shutdown", port, port);
		}
	}

	static ConfigurableApplicationContext start(EmbeddedKubernetes kubernetes, int port, String... args) {
		Stream<String> properties = Stream.of("--spring.profiles.active=replicas", "--server.port=" + port,
				"--informer.connection.url=" + kubernetes.url(), "--management.endpoint.shutdown.access=unrestricted",
				"--management.endpoints.web.exposure.include=health,informers,shutdown");
		return SpringApplication.run(RolloutsApplication.class,
				Stream.concat(properties, Stream.of(args)).toArray(String[]::new));
	}

}
