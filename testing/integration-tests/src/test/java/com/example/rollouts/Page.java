/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import com.example.browser.Chromium;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page as displayed in a browser.
 *
 * @param browser the browser
 */
record Page(Chromium browser) {

	private static final JsonMapper json = JsonMapper.builder().build();

	private static final String PODS = """
			const nodes = {};
			document.querySelectorAll(".node").forEach(node => nodes[node.querySelector("h3").textContent] =
				[...node.querySelectorAll(".pod")].map(pod =>
					pod.querySelector(".name").textContent + " " + pod.querySelector(".state").textContent));
			return JSON.stringify(nodes);""";

	private static final String ROLLOUTS = """
			const rollouts = {};
			document.querySelectorAll(".rollout").forEach(rollout => rollouts[rollout.querySelector("h3").textContent] =
				rollout.querySelector(".counts").textContent + ": " + rollout.querySelector(".phase").textContent);
			return JSON.stringify(rollouts);""";

	static Page open(Chromium browser, String url) {
		browser.open(url, 1280, 1000);
		Page page = new Page(browser);
		page.awaitConnection("Live");
		return page;
	}

	/**
	 * Wait until the page displays a state of its connection.
	 */
	void awaitConnection(String text) {
		awaitExternal().untilAsserted(() -> assertThat(this.browser.one("#connection").getText()).endsWith(text));
	}

	/**
	 * Return the displayed pods as {@code namespace/name state}, by the heading of their
	 * node.
	 */
	Map<String, Set<String>> podsByNode() {
		return json.readValue(this.browser.run(PODS), new TypeReference<TreeMap<String, Set<String>>>() {
		});
	}

	/**
	 * Return pods of a server in the form of {@link #podsByNode()}.
	 */
	static Map<String, Set<String>> podsByNode(Iterable<PodSummary> pods) {
		Map<String, Set<String>> podsByNode = new TreeMap<>();
		for (PodSummary pod : pods) {
			String node = (pod.node() != null) ? pod.node() : "Not scheduled yet";
			podsByNode.computeIfAbsent(node, (any) -> new TreeSet<>())
				.add(pod.namespace() + "/" + pod.name() + " " + pod.status());
		}
		return podsByNode;
	}

	/**
	 * Return the displayed rollouts by namespace and name of their Deployments.
	 */
	Map<String, String> rollouts() {
		return json.readValue(this.browser.run(ROLLOUTS), new TypeReference<TreeMap<String, String>>() {
		});
	}

	/**
	 * Return the parts of the bar of a Deployment, with their shares of its width.
	 */
	String barOf(String deployment) {
		return this.browser.run("""
				const bar = [...document.querySelectorAll(".rollout")]
					.find(rollout => rollout.querySelector("h3").textContent === "%s").querySelector(".bar");
				return [...bar.children].map(part =>
					part.className + " " + Math.round(parseFloat(part.style.width)) + "%%").join(", ");"""
			.formatted(deployment));
	}

	/**
	 * Return the displayed events, the latest first.
	 */
	String log() {
		return this.browser.one("#log").getText();
	}

}
